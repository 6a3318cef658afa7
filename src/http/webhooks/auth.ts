import type { AdviceChange } from "../../contract/webhooks/advice.ts";
import {
  DEFAULT_TOKEN_HEADER,
  type KeptSecret,
  type StoredAuth,
} from "../../contract/webhooks/endpoint.ts";
import type { Settings } from "../../env.ts";
import { parseRange, rangeText } from "../../intake/ip-ranges.ts";
import {
  newSecret,
  SECRET_BYTES,
  type SecretEncoding,
  type SecretUse,
  secretContext,
} from "../../intake/secrets.ts";
import { editedSecret } from "../../intake/signatures/diagnostics/keys.ts";
import { presetOf } from "../../intake/signatures/presets.ts";
import type { Endpoint } from "../../intake/types.ts";
import { isSealedAs } from "../../lib/secrets.ts";
import { last4 } from "../../lib/text.ts";
import { sealSecret } from "../agent-settings.ts";
import { invalid, invalidByFaults } from "../problem.ts";
import { randomBytes } from "../resource.ts";
import { type AuthBody, authFaults, placeOf, schemeOf, storedSignature } from "./auth-faults.ts";

/** Secrets that the service generated, for the one response that includes them. */
export interface GeneratedSecrets {
  token?: string;
  hmac?: string;
}

/**
 * Returns `auth` after the change that a diagnosis advises: the stored secret is edited and read under the
 * new setting. Throws a 400 for a change that the endpoint cannot take.
 */
export async function changedAuth(
  { hmac, token, secret: edit }: AdviceChange,
  endpoint: Endpoint,
  target: SealTarget,
): Promise<StoredAuth> {
  const before = endpoint.config.auth;
  const method = hmac === undefined ? "token" : "hmac";
  const opened = endpoint[method];
  if (opened === null) throw invalid("change", method, `needs an endpoint with auth.${method}`);
  const secret = edit === null ? opened.current : editedSecret(opened.current, edit);
  const body = hmac === undefined ? { token: { ...token, secret } } : { hmac: { ...hmac, secret } };
  const faults = await authFaults(body);
  if (faults.length > 0) throw invalidByFaults(faults);
  const { auth } = await authOf(body, before, target);
  return hmac === undefined ? { ...before, token: auth.token } : { ...before, hmac: auth.hmac };
}

/**
 * Returns `auth` as it is stored; the body has no faults. Settings that the body leaves out are removed,
 * except secrets: one that is left out is kept, or generated if there was none.
 */
export async function authOf(body: AuthBody, before: StoredAuth, target: SealTarget) {
  const [token, hmac, headers] = await Promise.all([
    tokenOf(body, before, target),
    hmacOf(body, before, target),
    Promise.all(
      (body.headers ?? []).map(async (header) => ({
        name: header.name,
        value: await headerValue(header, before, target),
      })),
    ),
  ]);
  const ranges = body.ipAllowlist?.map(parseRange).filter((range) => range !== null) ?? null;
  return {
    auth: {
      token: token.setting,
      hmac: hmac.setting,
      ...(body.signature && { signature: storedSignature(body.signature) }),
      ipAllowlist: ranges && [...new Set(ranges.map(rangeText))],
      headers,
    },
    generated: {
      ...(token.generated !== undefined && { token: token.generated }),
      ...(hmac.generated !== undefined && { hmac: hmac.generated }),
    },
  };
}

/** Returns a token as it is stored, and the secret's text if the service generated it. */
async function tokenOf({ token }: AuthBody, before: StoredAuth, target: SealTarget) {
  if (!token) return { setting: null, generated: undefined };
  const given = placeOf(token);
  // A record shows the default header by its name: sent back as shown, it stays the default.
  const isDefault = before.token?.header === null && before.token.in === undefined;
  const isShown = isDefault && given.header === DEFAULT_TOKEN_HEADER;
  const place = isShown ? { header: null } : given;
  // The credentials of Basic authentication have another form than other tokens.
  const isKept = (before.token?.in === "basic") === (place.in === "basic");
  const encoding = place.in === "basic" ? "credentials" : "utf8";
  const kept = isKept ? (before.token?.secret ?? null) : null;
  const { secret, generated } = await secretOf(token.secret, kept, "token", encoding, target);
  return { setting: { ...place, secret }, generated };
}

/** Returns a shared secret with its scheme as it is stored, and its text if the service generated it. */
async function hmacOf({ hmac }: AuthBody, before: StoredAuth, target: SealTarget) {
  if (!hmac) return { setting: null, generated: undefined };
  const scheme = schemeOf(hmac);
  // A secret is kept under another scheme only if its text decodes to the same key.
  const isKept = before.hmac?.scheme.secretEncoding === scheme.secretEncoding;
  const kept = isKept ? (before.hmac?.secret ?? null) : null;
  const encoding = scheme.secretEncoding;
  const { secret, generated } = await secretOf(hmac.secret, kept, "hmac", encoding, target);
  const origin = hmac.preset === undefined ? null : presetOf(hmac.preset).secret;
  const chooses = origin?.by === "us" && origin.isReplaced === true;
  const awaits = chooses && (generated !== undefined || before.hmac?.awaitsSecret === true);
  const awaitsSecret = awaits && hmac.secret === undefined && { awaitsSecret: true as const };
  const setting = { preset: hmac.preset ?? null, scheme, secret, ...awaitsSecret };
  // A generated secret only fills the place of the one that the sender chooses.
  return { setting, generated: awaitsSecret ? undefined : generated };
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

/** Returns the sealed value of a header; one that is left out or the same is kept, null is any value. */
async function headerValue(
  { name, value }: NonNullable<AuthBody["headers"]>[number],
  { headers }: StoredAuth,
  target: SealTarget,
): Promise<StoredAuth["headers"][number]["value"]> {
  if (value === null) return null;
  const same = headers.find((header) => header.name.toLowerCase() === name.toLowerCase());
  const kept = same?.value ?? null;
  const use = { header: name };
  const isKept =
    value === undefined || (kept !== null && (await isKeptAs(value, kept.sealed, use, target)));
  return isKept ? kept : await sealValue(value, use, target);
}

/** Returns whether a stored secret has this text already: sealing it again would look like a change. */
function isKeptAs(text: string, sealed: string, use: SecretUse, target: SealTarget) {
  const { endpointId, settings } = target;
  return isSealedAs(text, sealed, settings.ENCRYPTION_KEY, secretContext(endpointId, use));
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
  use: "token" | "hmac";
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
async function sealValue(text: string, use: SecretUse, { endpointId, settings }: SealTarget) {
  const sealed = await sealSecret(text, secretContext(endpointId, use), settings);
  return { sealed, last4: last4(text) };
}
