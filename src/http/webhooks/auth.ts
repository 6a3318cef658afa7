import type { AdviceChangeBody } from "../../contract/webhooks/advice.ts";
import type {
  CreateEndpointBody,
  KeptSecret,
  StoredAuth,
} from "../../contract/webhooks/endpoint.ts";
import type { Fault } from "../../contract/webhooks/payload.ts";
import type { SignatureScheme } from "../../contract/webhooks/signature.ts";
import type { Settings } from "../../env.ts";
import { parseRange, rangeText } from "../../intake/ip-ranges.ts";
import { parsePath } from "../../intake/mapping/payload-path.ts";
import {
  newSecret,
  SECRET_BYTES,
  type SecretEncoding,
  type SecretUse,
  secretContext,
} from "../../intake/secrets.ts";
import { customSchemeOf, schemeFault } from "../../intake/signatures/custom-scheme.ts";
import { editedSecret } from "../../intake/signatures/diagnostics/keys.ts";
import { secretBytes } from "../../intake/signatures/hmac.ts";
import { presetOf, presetOfToken } from "../../intake/signatures/presets.ts";
import type { Endpoint } from "../../intake/types.ts";
import { isSealedAs } from "../../lib/secrets.ts";
import { last4 } from "../../lib/text.ts";
import { sealSecret } from "../agent-settings.ts";
import { invalid, invalidByFaults } from "../problem.ts";
import { randomBytes } from "../resource.ts";
import { type StoredSignature, signatureFaults, storedSignature } from "./key-signature.ts";

type AuthBody = CreateEndpointBody["auth"];
type HmacBody = NonNullable<AuthBody["hmac"]>;

/** Headers that the connection or a proxy sets: their values say nothing about the sender. */
const TRANSPORT_HEADERS =
  /^(?:host|connection|content-length|transfer-encoding|cf-.*|x-forwarded-.*|x-real-ip|true-client-ip)$/i;
/** The header values of RFC 9110 §5.5, without those that some parties recode. */
const HEADER_VALUE = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;

/** Returns the signature scheme of a preset, or the custom one. */
function schemeOf(hmac: HmacBody): SignatureScheme {
  return hmac.preset === undefined ? customSchemeOf(hmac) : presetOf(hmac.preset).scheme;
}

/** Returns the faults of `auth` in a body. */
export async function authFaults(body: AuthBody, before: StoredAuth): Promise<Fault[]> {
  const { token, hmac, signature, ipAllowlist, headers } = body;
  return [
    ...(token ? tokenFaults(token) : []),
    ...(hmac ? hmacFaults(hmac) : []),
    ...(signature ? await signatureFaults(signature, before.signature) : []),
    ...(ipAllowlist ?? []).flatMap(rangeFaults),
    ...(headers ?? []).flatMap((header, at, all) => headerFaults(header, at, all)),
  ];
}

type TokenBody = NonNullable<AuthBody["token"]>;

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
  return [
    ...(header === undefined ? [] : nameFaults("auth.token.header", header)),
    ...(source === "body" && name !== undefined ? pathFaults(name) : []),
    ...(secret === undefined ? [] : valueFaults("auth.token.secret", secret)),
    ...(secret === undefined || placeOf(token).in !== "basic" ? [] : credentialFaults(secret)),
  ];
}

function pathFaults(path: string): Fault[] {
  const parsed = parsePath(path.replaceAll("[*]", "[0]"));
  return parsed.ok ? [] : [fault("auth.token.name", "path", parsed.message)];
}

function credentialFaults(secret: string): Fault[] {
  if (/^[^:]+:./.test(secret)) return [];
  return [fault("auth.token.secret", "credentials", "must be user:password")];
}

/** Returns where a token is, as it is stored. */
function placeOf({
  preset,
  header,
  in: source,
  name,
}: TokenBody): Omit<NonNullable<StoredAuth["token"]>, "secret"> {
  const token = preset === undefined ? null : presetOfToken(preset).token;
  const named = { ...(preset !== undefined && { preset }) };
  if (token === null) {
    if (source === undefined || source === "header") return { header: header ?? null };
    return { header: null, in: source, ...(name !== undefined && { name }) };
  }
  if (token.in === "basic") return { ...named, header: null, in: "basic" };
  if (token.in === "header") return { ...named, header: token.name };
  return { ...named, header: null, in: token.in, name: token.name };
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

function rangeFaults(entry: string, at: number): Fault[] {
  if (parseRange(entry) !== null) return [];
  const path = `auth.ipAllowlist[${at}]`;
  return [fault(path, "ip_range", "must be an IPv4 or IPv6 address or a range such as 10.0.0.0/8")];
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

/** Secrets that the service generated, for the one response that includes them. */
export interface GeneratedSecrets {
  token?: string;
  hmac?: string;
}

/** `auth` as it is stored, and the secrets that were generated for it. */
export interface AuthDraft {
  auth: StoredAuth;
  generated: GeneratedSecrets;
}

/**
 * Returns `auth` after the change of the signature that a diagnosis advises: the stored secret is edited
 * and read under the new scheme. Throws a 400 for a change that the endpoint cannot take.
 */
export async function changedAuth(
  { hmac: given, token, secret: edit }: AdviceChangeBody,
  { config: { auth: before }, hmac: opened, token: openedToken }: Endpoint,
  target: SealTarget,
): Promise<StoredAuth> {
  if (token !== undefined) {
    if (openedToken === null) throw invalid("change", "token", "needs an endpoint with auth.token");
    const secret = edit === null ? {} : { secret: editedSecret(openedToken.current, edit) };
    const changed = { ...token, ...secret };
    const faults = tokenFaults(changed);
    if (faults.length > 0) throw invalidByFaults(faults);
    const { setting } = await tokenOf({ token: changed }, before, target);
    return { ...before, token: setting };
  }
  if (opened === null || given === undefined)
    throw invalid("change", "hmac", "needs an endpoint with auth.hmac");
  const secret = edit === null ? opened.current : editedSecret(opened.current, edit);
  const changed = { ...given, secret };
  const hmac = "preset" in changed ? changed : { preset: undefined, ...changed };
  const faults = hmacFaults(hmac);
  if (faults.length > 0) throw invalidByFaults(faults);
  const { scheme } = before.hmac ?? {};
  const isKept =
    secret === opened.current && scheme?.secretEncoding === schemeOf(hmac).secretEncoding;
  const { setting } = await hmacOf(
    { hmac: isKept ? { ...hmac, secret: undefined } : hmac },
    before,
    target,
  );
  return { ...before, hmac: setting };
}

/** A setting with its secret, and the secret's text if the service generated it. */
interface WithSecret<Setting> {
  setting: Setting | null;
  generated?: string;
}

/**
 * Returns `auth` as it is stored; the body has no faults. Settings that the body leaves out are removed,
 * except secrets: one that is left out is kept, or generated if there was none.
 */
export async function authOf(
  body: AuthBody,
  before: StoredAuth,
  target: SealTarget,
): Promise<AuthDraft> {
  const [token, hmac, signature, headers] = await Promise.all([
    tokenOf(body, before, target),
    hmacOf(body, before, target),
    signatureOf(body, before, target),
    headersOf(body, before, target),
  ]);
  return {
    auth: {
      token: token.setting,
      hmac: hmac.setting,
      ...(signature !== null && { signature }),
      ipAllowlist: body.ipAllowlist ? rangesOf(body.ipAllowlist) : null,
      headers,
    },
    generated: {
      ...(token.generated !== undefined && { token: token.generated }),
      ...(hmac.generated !== undefined && { hmac: hmac.generated }),
    },
  };
}

async function tokenOf(
  { token }: AuthBody,
  before: StoredAuth,
  target: SealTarget,
): Promise<WithSecret<NonNullable<StoredAuth["token"]>>> {
  if (!token) return { setting: null };
  const kept = before.token?.secret ?? null;
  const place = placeOf(token);
  // The credentials of Basic authentication have another form than other tokens.
  const isKept = (before.token?.in === "basic") === (place.in === "basic");
  const encoding = place.in === "basic" ? "credentials" : "utf8";
  const { secret, ...rest } = await secretOf(
    token.secret,
    isKept ? kept : null,
    "token",
    encoding,
    target,
  );
  return { setting: { ...place, secret }, ...rest };
}

async function signatureOf(
  { signature }: AuthBody,
  before: StoredAuth,
  target: SealTarget,
): Promise<StoredSignature | null> {
  if (!signature) return null;
  const stored = storedSignature(signature);
  const given = "preset" in signature ? signature.secret : undefined;
  const kept = before.signature?.preset === stored.preset ? before.signature.secret : null;
  if (given === undefined) return { ...stored, secret: kept };
  const { secret } = await secretOf(given, kept, "signature", "utf8", target);
  return { ...stored, secret };
}

async function hmacOf(
  { hmac }: AuthBody,
  before: StoredAuth,
  target: SealTarget,
): Promise<WithSecret<NonNullable<StoredAuth["hmac"]>>> {
  if (!hmac) return { setting: null };
  const scheme = schemeOf(hmac);
  // A secret is kept under another scheme only if its text decodes to the same key.
  const isKept = before.hmac?.scheme.secretEncoding === scheme.secretEncoding;
  const kept = isKept ? (before.hmac?.secret ?? null) : null;
  const encoding = scheme.secretEncoding;
  const { secret, ...rest } = await secretOf(hmac.secret, kept, "hmac", encoding, target);
  const origin = hmac.preset === undefined ? null : presetOf(hmac.preset).secret;
  const chooses = origin?.by === "us" && origin.isReplaced === true;
  const awaits = chooses && (rest.generated !== undefined || before.hmac?.awaitsSecret === true);
  const awaitsSecret = awaits && hmac.secret === undefined && { awaitsSecret: true as const };
  const setting = { preset: hmac.preset ?? null, scheme, secret, ...awaitsSecret };
  // A generated secret only fills the place of the one that the sender chooses.
  return awaitsSecret ? { setting } : { setting, ...rest };
}

async function secretOf(
  given: string | undefined,
  kept: KeptSecret | null,
  use: Replacement["use"],
  encoding: SecretEncoding,
  target: SealTarget,
): Promise<{ secret: KeptSecret; generated?: string }> {
  if (kept !== null && (given === undefined || (await isKeptAs(given, kept.sealed, use, target))))
    return { secret: kept };
  // The old secret is invalid from now on; it is stored only to tell it from an unknown one.
  return await replaceSecret({ given, kept, use, encoding, validUntil: target.now }, target);
}

async function headersOf(
  { headers }: AuthBody,
  before: StoredAuth,
  target: SealTarget,
): Promise<StoredAuth["headers"]> {
  return await Promise.all(
    (headers ?? []).map(async ({ name, value }) => ({
      name,
      value: value
        ? await headerValue(name, value, before, target)
        : keptValue(name, value, before),
    })),
  );
}

/** Returns the sealed value of a header, the stored one if it is the same. */
async function headerValue(name: string, value: string, before: StoredAuth, target: SealTarget) {
  const kept = keptValue(name, undefined, before);
  const use = { header: name };
  const isKept = kept !== null && (await isKeptAs(value, kept.sealed, use, target));
  return isKept ? kept : await sealValue(value, use, target);
}

/** Returns whether a stored secret has this text already: sealing it again would look like a change. */
function isKeptAs(text: string, sealed: string, use: SecretUse, target: SealTarget) {
  const { endpointId, settings } = target;
  return isSealedAs(text, sealed, settings.ENCRYPTION_KEY, secretContext(endpointId, use));
}

/** Returns the stored value of a header; a value is a secret, so one that is left out is kept. */
function keptValue(name: string, value: string | null | undefined, { headers }: StoredAuth) {
  if (value === null) return null;
  const same = headers.find((header) => header.name.toLowerCase() === name.toLowerCase());
  return same?.value ?? null;
}

function rangesOf(entries: string[]): string[] {
  const ranges = entries.map(parseRange).filter((range) => range !== null);
  return [...new Set(ranges.map(rangeText))];
}

/** The endpoint whose secrets are sealed, the keys, and the time in epoch milliseconds. */
export interface SealTarget {
  endpointId: string;
  settings: Settings;
  now: number;
}

/** A secret that replaces another. */
interface Replacement {
  /** Undefined to generate one. */
  given: string | undefined;
  /** The current secret; null for none. */
  kept: KeptSecret | null;
  use: "token" | "hmac" | "signature";
  encoding: SecretEncoding;
  /** The end of the time in which the current secret stays valid, in epoch milliseconds. */
  validUntil: number;
}

/**
 * Returns the new secret as it is stored; `generated` is its text if the service generated it. The
 * previous one is stored until the next change, so that the log can name a sender that still uses it.
 */
export async function replaceSecret(
  { given, kept, use, encoding, validUntil }: Replacement,
  target: SealTarget,
): Promise<{ secret: KeptSecret; generated?: string }> {
  const text = given ?? newSecret(encoding, randomBytes(SECRET_BYTES));
  const secret = {
    ...(await sealValue(text, use, target)),
    previous: kept && { sealed: kept.sealed, validUntil },
  };
  return given === undefined ? { secret, generated: text } : { secret };
}

/** Returns a text sealed for one use, with its last characters if they may be shown. */
async function sealValue(
  text: string,
  use: SecretUse,
  { endpointId, settings }: SealTarget,
): Promise<{ sealed: string; last4: string }> {
  const sealed = await sealSecret(text, secretContext(endpointId, use), settings);
  return { sealed, last4: last4(text) };
}
