import * as z from "zod";
import type { AdviceChange, SecretEdit } from "../../../contract/webhooks/advice.ts";
import {
  customKeyScheme,
  customScheme,
  type KeyScheme,
  type PresetName,
  type SignatureScheme,
} from "../../../contract/webhooks/signature.ts";
import type { StoredToken } from "../../tokens.ts";
import type { OpenSecret } from "../../types.ts";
import { customKeySchemeOf, customSchemeOf, schemeFault } from "../custom-scheme.ts";
import { isHash } from "../hmac.ts";
import type { StoredSignature } from "../key-signature.ts";
import { presetOf } from "../presets.ts";
import type { TextScheme } from "../signature-headers.ts";
import { editedSecret } from "./keys.ts";
import { IN_ITEMS, type SentValue } from "./sent-headers.ts";
import type { OtherTemplate } from "./templates.ts";
import type { Findable, Match } from "./variants.ts";

/** Returns the change of an endpoint's settings that makes it expect what matched; null for none. */
export function changeFor(
  scheme: SignatureScheme,
  match: Match,
  preset: PresetName | null,
): AdviceChange | null {
  const { key, hash } = match;
  if (!isSetting(match) || hash !== "hmac" || key.setting === null) return null;
  const { secretEncoding, edit } = key.setting;
  if (preset !== null && presetOf(preset).scheme.secretEncoding === secretEncoding) {
    return { hmac: { preset }, secret: edit };
  }
  const settings = settingsFor(scheme, match);
  const { algorithm } = match.digest;
  if (settings === null || !isHash(algorithm)) return null;
  return { hmac: { ...settings, algorithm, secretEncoding }, secret: edit };
}

/** The same for a sender with a private key. */
export function keyChangeFor(scheme: KeyScheme, match: Match<Findable>): AdviceChange | null {
  const settings = isSetting(match) ? settingsFor(scheme, match) : null;
  if (settings === null || settings.form === "jwt") return null;
  const { form } = settings;
  return { signature: { ...settings, form, algorithm: scheme.algorithm }, secret: null };
}

/** Whether settings alone tell a match from what is configured. */
function isSetting({ other, digest }: Match<Findable>): boolean {
  return other.finding === null && !digest.isSpaced && digest.wrapping === null;
}

function settingsFor(scheme: TextScheme, { digest, template }: Match<Findable>) {
  // A prefix that is optional now would be required in the changed scheme.
  const isAsExpected = digest.inForm && !scheme.prefixOptional;
  const form = isAsExpected ? { form: scheme.form, prefix: scheme.prefix } : digest.form;
  if (form === null) return null;
  const { header, encoding } = digest;
  const places = {
    ...listedPlaces(scheme, template),
    ...timestampPlace(template.timestamp),
    ...idPlace(template.id),
  };
  return { header, ...form, encoding, template: template.template, ...places };
}

/** Returns the settings of signed values that the template does not name. */
function listedPlaces(
  { in: part, signedHeaders, timestampHeader, idHeader }: TextScheme,
  { signed }: OtherTemplate,
) {
  if (part !== undefined) return { in: part };
  if (signed === null || signedHeaders === undefined) return {};
  return {
    signedHeaders,
    ...(timestampHeader !== null && { timestampHeader }),
    ...(idHeader !== null && { idHeader }),
  };
}

function timestampPlace(sent: SentValue | null) {
  if (sent === null || sent.pair === IN_ITEMS) return {};
  return sent.pair === null ? { timestampHeader: sent.header } : { timestampPair: sent.pair };
}

const idPlace = (sent: SentValue | null) => (sent === null ? {} : { idHeader: sent.header });

/** Returns the scheme and the secret after a change; null if the endpoint would not take the scheme. */
export function applied(
  { hmac, secret: edit }: AdviceChange,
  secret: OpenSecret,
): { scheme: SignatureScheme; secret: OpenSecret } | null {
  const scheme = hmac === undefined ? null : schemeOf(hmac);
  return scheme && { scheme, secret: edit === null ? secret : editedOf(secret, edit) };
}

function schemeOf(hmac: NonNullable<AdviceChange["hmac"]>): SignatureScheme | null {
  if ("preset" in hmac) return presetOf(hmac.preset).scheme;
  const custom = customScheme.safeParse(hmac);
  if (!custom.success) return null;
  const scheme = customSchemeOf(custom.data);
  return schemeFault(scheme) === null ? scheme : null;
}

const keyScheme = z.object(customKeyScheme.signed);

/** Returns the setting of a sender with a private key after a change; null if it would not be taken. */
export function appliedToKey(
  { signature }: AdviceChange,
  stored: StoredSignature,
): StoredSignature | null {
  const custom = keyScheme.safeParse(signature);
  if (!custom.success) return null;
  const scheme = customKeySchemeOf(custom.data);
  return schemeFault(scheme) === null ? { ...stored, preset: null, scheme } : null;
}

/** Returns the token's place and the secret after a change; null for a change of another method. */
export function appliedToToken(
  { token, secret: edit }: AdviceChange,
  stored: StoredToken,
  secret: OpenSecret,
): { stored: StoredToken; secret: OpenSecret } | null {
  if (token === undefined) return null;
  const { preset, header = null, ...place } = token;
  const kept = { secret: stored.secret, header, ...place };
  return {
    stored: preset === undefined ? kept : stored,
    secret: edit === null ? secret : editedOf(secret, edit),
  };
}

const editedOf = ({ current }: OpenSecret, edit: SecretEdit): OpenSecret => ({
  current: editedSecret(current, edit),
  previous: null,
});
