import type { CreateEndpointBody } from "../../contract/inbound/endpoint.ts";
import type { Fault } from "../../contract/inbound/payload.ts";
import type { SignatureScheme } from "../../contract/inbound/signature.ts";
import { parseRange } from "../../inbound/ip-ranges.ts";
import { customSchemeOf, schemeFault } from "../../inbound/signatures/custom-scheme.ts";
import { secretBytes } from "../../inbound/signatures/hmac.ts";
import { presetOf } from "../../inbound/signatures/presets.ts";

export type AuthBody = CreateEndpointBody["auth"];
type HmacBody = NonNullable<AuthBody["hmac"]>;

/** What the connection or a proxy writes: its value says nothing about the sender. */
const OF_THE_TRANSPORT =
  /^(?:host|connection|content-length|transfer-encoding|cf-.*|x-forwarded-.*|x-real-ip|true-client-ip)$/i;
/** What a header can carry as its whole value (RFC 9110 §5.5), less what some parties recode. */
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** How the sender signs, by its preset or in a way of its own. */
export function schemeOf(hmac: HmacBody): SignatureScheme {
  return hmac.preset === undefined ? customSchemeOf(hmac) : presetOf(hmac.preset).scheme;
}

/** All that is wrong with `auth` in a body. */
export function authFaults({ token, hmac, ipAllowlist, headers }: AuthBody): Fault[] {
  return [
    ...(token ? tokenFaults(token) : []),
    ...(hmac ? hmacFaults(hmac) : []),
    ...(ipAllowlist ?? []).flatMap(rangeFaults),
    ...(headers ?? []).flatMap((header, at, all) => headerFaults(header, at, all)),
  ];
}

function tokenFaults({ header, secret }: NonNullable<AuthBody["token"]>): Fault[] {
  return [
    ...(header === undefined ? [] : nameFaults("auth.token.header", header)),
    ...(secret === undefined ? [] : valueFaults("auth.token.secret", secret)),
  ];
}

function hmacFaults(hmac: HmacBody): Fault[] {
  const scheme = schemeOf(hmac);
  const wrong = schemeFault(scheme);
  if (wrong !== null) return [wrong];
  return hmac.secret === undefined ? [] : keyFaults("auth.hmac.secret", hmac.secret, scheme);
}

/** What keeps a text from being the key of a scheme. */
export function keyFaults(path: string, secret: string, scheme: SignatureScheme): Fault[] {
  const { secretEncoding } = scheme;
  if (secretBytes(secret, secretEncoding) !== null) return [];
  const form = secretEncoding === "whsec" ? "base64 after whsec_" : secretEncoding;
  return [fault(path, "secret_encoding", `must be ${form}, as the scheme reads it`)];
}

function rangeFaults(entry: string, at: number): Fault[] {
  if (parseRange(entry) !== null) return [];
  const path = `auth.ipAllowlist[${at}]`;
  return [
    fault(path, "ip_range", "must be an IPv4 or IPv6 address, or a range such as 10.0.0.0/8"),
  ];
}

type HeaderRule = NonNullable<AuthBody["headers"]>[number];

function headerFaults({ name, value }: HeaderRule, at: number, all: HeaderRule[]): Fault[] {
  const path = `auth.headers[${at}]`;
  const isTwice = all.slice(0, at).some((other) => other.name.toLowerCase() === name.toLowerCase());
  return [
    ...nameFaults(`${path}.name`, name),
    ...(isTwice ? [fault(`${path}.name`, "header", `names ${name} a second time`)] : []),
    ...(value ? valueFaults(`${path}.value`, value) : []),
  ];
}

function nameFaults(path: string, name: string): Fault[] {
  if (!OF_THE_TRANSPORT.test(name)) return [];
  return [fault(path, "header", `${name} is written by the transport, not by the sender`)];
}

/** What keeps a text from being the value of a header. */
export function valueFaults(path: string, value: string): Fault[] {
  if (HEADER_VALUE.test(value)) return [];
  return [fault(path, "header_value", "must be visible ASCII, which a header can carry")];
}

const fault = (path: string, rule: string, message: string): Fault => ({ path, rule, message });
