import type { CreateEndpointBody, StoredAuth } from "../../contract/webhooks/endpoint.ts";
import type { Fault } from "../../contract/webhooks/payload.ts";
import {
  jwtScheme,
  type PublicKeyScheme,
  type SignatureScheme,
} from "../../contract/webhooks/signature.ts";
import { parseRange } from "../../intake/ip-ranges.ts";
import { parsePath } from "../../intake/mapping/payload-path.ts";
import {
  customKeySchemeOf,
  customSchemeOf,
  schemeFault,
} from "../../intake/signatures/custom-scheme.ts";
import { secretBytes } from "../../intake/signatures/hmac.ts";
import { needsKey } from "../../intake/signatures/presets/preset.ts";
import { presetOf } from "../../intake/signatures/presets.ts";
import {
  importPublicKey,
  readCertificate,
  readKeySet,
} from "../../intake/signatures/public-key.ts";
import { orElse } from "../../lib/or-else.ts";
import { checkAddress } from "../../outbound/address.ts";

export type AuthBody = CreateEndpointBody["auth"];
type TokenBody = NonNullable<AuthBody["token"]>;
type HmacBody = NonNullable<AuthBody["hmac"]>;

/** Headers that the connection or a proxy sets: their values say nothing about the sender. */
const TRANSPORT_HEADERS =
  /^(?:host|connection|content-length|transfer-encoding|cf-.*|x-forwarded-.*|x-real-ip|true-client-ip)$/i;
/** The header values of RFC 9110 §5.5, without those that some parties recode. */
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const IP_RANGE = "must be an IPv4 or IPv6 address or a range such as 10.0.0.0/8";

/** Returns the signature scheme of a preset, or the custom one. */
export function schemeOf(hmac: HmacBody): SignatureScheme {
  return hmac.preset === undefined ? customSchemeOf(hmac) : presetOf(hmac.preset).scheme;
}

/** Returns where a token is, as it is stored. */
export function placeOf(body: TokenBody): Omit<NonNullable<StoredAuth["token"]>, "secret"> {
  const { preset, header, in: source, name } = body;
  const token = preset === undefined ? null : presetOf(preset).token;
  const named = { ...(preset !== undefined && { preset }) };
  if (token === null) {
    if (source === undefined || source === "header") return { header: header ?? null };
    return { header: null, in: source, ...(name !== undefined && { name }) };
  }
  if (token.in === "basic") return { ...named, header: null, in: "basic" };
  if (token.in === "header") return { ...named, header: token.name };
  return { ...named, header: null, in: token.in, name: token.name };
}

/** Returns the faults of `auth` in a body. */
export async function authFaults(body: AuthBody): Promise<Fault[]> {
  const { token, hmac, signature, ipAllowlist, headers } = body;
  return [
    ...(token ? tokenFaults(token) : []),
    ...(hmac ? hmacFaults(hmac) : []),
    ...(signature ? await signatureFaults(signature) : []),
    ...(ipAllowlist ?? []).flatMap((entry, at) =>
      parseRange(entry) === null ? [fault(`auth.ipAllowlist[${at}]`, "ip_range", IP_RANGE)] : [],
    ),
    ...(headers ?? []).flatMap((header, at, all) => headerFaults(header, at, all)),
  ];
}

function tokenFaults(token: TokenBody): Fault[] {
  const { preset, header, in: source = "header", name, secret } = token;
  const given = (["header", "in", "name"] as const).find((field) => token[field] !== undefined);
  if (preset !== undefined && given !== undefined) {
    return [
      fault(`auth.token.${given}`, "preset", `must be left out: the preset ${preset} sets it`),
    ];
  }
  const isNamed = source === "query" || source === "body";
  if (preset === undefined && isNamed !== (name !== undefined)) {
    const message = isNamed ? `is required with in "${source}"` : 'needs in "query" or "body"';
    return [fault("auth.token.name", "token_name", message)];
  }
  if (source !== "header" && header !== undefined) {
    return [fault("auth.token.header", "token_name", 'needs in "header"')];
  }
  const isPath = source === "body" && name !== undefined;
  const parsed = isPath ? parsePath(name.replaceAll("[*]", "[0]")) : null;
  return [
    ...(header === undefined ? [] : nameFaults("auth.token.header", header)),
    ...(parsed === null || parsed.ok ? [] : [fault("auth.token.name", "path", parsed.message)]),
    ...(secret === undefined ? [] : valueFaults("auth.token.secret", secret)),
    ...(secret === undefined || placeOf(token).in !== "basic" || /^[^:]+:./.test(secret)
      ? []
      : [fault("auth.token.secret", "credentials", "must be user:password")]),
  ];
}

function hmacFaults(hmac: HmacBody): Fault[] {
  const scheme = schemeOf(hmac);
  const invalidScheme = schemeFault(scheme);
  if (hmac.preset === undefined && invalidScheme !== null) return [invalidScheme];
  return hmac.secret === undefined ? [] : keyFaults("auth.hmac.secret", hmac.secret, scheme);
}

/** Returns the fault of a text that is not a key of the scheme. */
export function keyFaults(path: string, secret: string, scheme: SignatureScheme): Fault[] {
  const { secretEncoding } = scheme;
  if (secretBytes(secret, secretEncoding) !== null) return [];
  const form = secretEncoding === "whsec" ? "base64 after whsec_" : secretEncoding;
  return [fault(path, "secret_encoding", `must be encoded as ${form}`)];
}

type HeaderRule = NonNullable<AuthBody["headers"]>[number];

function headerFaults({ name, value }: HeaderRule, at: number, all: HeaderRule[]): Fault[] {
  const path = `auth.headers[${at}]`;
  const isTwice = all.slice(0, at).some((other) => other.name.toLowerCase() === name.toLowerCase());
  return [
    ...nameFaults(`${path}.name`, name),
    ...(isTwice ? [fault(`${path}.name`, "header", `must not repeat the header ${name}`)] : []),
    ...(value ? valueFaults(`${path}.value`, value) : []),
  ];
}

function nameFaults(path: string, name: string): Fault[] {
  if (!TRANSPORT_HEADERS.test(name)) return [];
  return [fault(path, "header", `must not be ${name}, which the connection or a proxy sets`)];
}

/** Returns the fault of a text that is not a header value. */
export function valueFaults(path: string, value: string): Fault[] {
  if (HEADER_VALUE.test(value)) return [];
  return [fault(path, "header_value", "must consist of visible ASCII characters")];
}

const fault = (path: string, rule: string, message: string): Fault => ({ path, rule, message });

type SignatureBody = NonNullable<AuthBody["signature"]>;
export type StoredSignature = NonNullable<StoredAuth["signature"]>;

/** Returns a signature with a private key as it is stored, without its secret. */
export function storedSignature(body: SignatureBody): StoredSignature {
  const publicKey = body.publicKey ?? null;
  const audience = "audience" in body ? (body.audience ?? null) : null;
  if ("preset" in body) {
    const { scheme } = presetOf(body.preset);
    return { preset: body.preset, scheme, publicKey, audience, secret: null };
  }
  const scheme =
    body.algorithm === "jwt"
      ? jwtScheme.parse({ ...body, prefix: body.prefix ?? "" })
      : customKeySchemeOf(body);
  return { preset: null, scheme, publicKey, audience, secret: null };
}

type CustomBody = Exclude<SignatureBody, { preset: unknown }>;

/** Returns the faults of a signature with a private key. */
export async function signatureFaults(body: SignatureBody): Promise<Fault[]> {
  const { scheme, publicKey, audience } = storedSignature(body);
  const isKey = publicKey === null || (await isKeyOf(publicKey, scheme));
  const given = isKey ? [] : [signatureFault("publicKey", keyText(scheme))];
  if (!("preset" in body)) {
    const invalid = "template" in scheme ? schemeFault(scheme, "auth.signature") : null;
    const keys = body.algorithm === "jwt" ? keySetFaults(body) : [];
    return [...(invalid === null ? [] : [invalid]), ...keys, ...given];
  }
  const sender = presetOf(body.preset);
  const { audience: expected } = sender;
  return [
    ...given,
    ...(publicKey === null && needsKey(sender)
      ? [signatureFault("publicKey", `is required: the public key of ${sender.name}`)]
      : []),
    ...(expected?.isRequired && audience === null
      ? [signatureFault("audience", `is required: the ${expected.name}`)]
      : []),
  ];
}

/** Returns the faults of where the keys of a token come from: a key, or the sender's address. */
function keySetFaults(body: Extract<CustomBody, { algorithm: "jwt" }>): Fault[] {
  const { publicKey, jwksUrl, certificates } = body;
  if (jwksUrl === undefined) {
    const message = "is required, unless jwksUrl names the address of the sender's keys";
    return publicKey === undefined ? [signatureFault("publicKey", message)] : [];
  }
  if (publicKey !== undefined) {
    return [signatureFault("jwksUrl", "must not be set together with publicKey")];
  }
  if (certificates !== undefined) {
    return [signatureFault("jwksUrl", "must not be set together with certificates")];
  }
  const policy = { allowLoopback: false, ownHosts: [], schemes: ["https" as const] };
  const checked = checkAddress(jwksUrl, policy);
  return checked.ok ? [] : [signatureFault("jwksUrl", `cannot be used: ${checked.reason}`)];
}

async function isKeyOf(text: string, scheme: PublicKeyScheme): Promise<boolean> {
  if (scheme.algorithm === "http-message-signatures") return false;
  if (scheme.algorithm !== "jwt") return (await importPublicKey(text, scheme.algorithm)) !== null;
  if (scheme.certificates !== undefined) return orElse(() => readCertificate(text).ca, false);
  if (readKeySet(text) !== null) return true;
  const algorithms = ["rsa-sha256", "ecdsa-p256-sha256", "ed25519"] as const;
  const keys = await Promise.all(algorithms.map((algorithm) => importPublicKey(text, algorithm)));
  return keys.some((key) => key !== null);
}

function keyText(scheme: PublicKeyScheme): string {
  const { algorithm } = scheme;
  if (algorithm === "jwt") {
    return scheme.certificates === undefined
      ? "must be an RSA, P-256 or Ed25519 key: PEM, a certificate, a JWK or a JWKS"
      : "must be a root certificate in PEM";
  }
  return `must be a key for ${algorithm}: PEM, a certificate, a JWK, hex or base64`;
}

const signatureFault = (field: string, message: string): Fault => ({
  path: `auth.signature.${field}`,
  rule: "public_key",
  message,
});
