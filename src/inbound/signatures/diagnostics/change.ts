import type { AdviceChange, SecretEdit } from "../../../contract/inbound/advice.ts";
import {
  customScheme,
  type PresetName,
  type SignatureScheme,
} from "../../../contract/inbound/signature.ts";
import type { OpenSecret } from "../../types.ts";
import { customSchemeOf, schemeFault } from "../custom-scheme.ts";
import { presetOf } from "../presets.ts";
import { editedSecret } from "./keys.ts";
import type { SentValue } from "./sent-headers.ts";
import type { Match } from "./variants.ts";

/** Returns the change of an endpoint's settings that makes it expect what matched; null for none. */
export function changeFor(
  scheme: SignatureScheme,
  match: Match,
  preset: PresetName | null,
): AdviceChange | null {
  const { key, digest, template, other, hash } = match;
  const isSetting =
    hash === "hmac" && other.finding === null && !digest.isSpaced && digest.wrapping === null;
  if (!isSetting || key.setting === null) return null;
  const { secretEncoding, edit } = key.setting;
  if (preset !== null && presetOf(preset).scheme.secretEncoding === secretEncoding) {
    return { hmac: { preset }, secret: edit };
  }
  // A prefix that is optional now would be required in the changed scheme.
  const isAsExpected = digest.inForm && !scheme.prefixOptional;
  const form = isAsExpected ? { form: scheme.form, prefix: scheme.prefix } : digest.form;
  if (form === null) return null;
  const { header, encoding, algorithm } = digest;
  const values = { ...timestampPlace(template.timestamp), ...idPlace(template.id) };
  const hmac = {
    header,
    ...form,
    encoding,
    algorithm,
    template: template.template,
    secretEncoding,
  };
  return { hmac: { ...hmac, ...values }, secret: edit };
}

function timestampPlace(sent: SentValue | null) {
  if (sent === null) return {};
  return sent.pair === null ? { timestampHeader: sent.header } : { timestampPair: sent.pair };
}

const idPlace = (sent: SentValue | null) => (sent === null ? {} : { idHeader: sent.header });

/** Returns the scheme and the secret after a change; null if the endpoint would not take the scheme. */
export function applied(
  { hmac, secret: edit }: AdviceChange,
  secret: OpenSecret,
): { scheme: SignatureScheme; secret: OpenSecret } | null {
  const scheme = schemeOf(hmac);
  if (scheme === null) return null;
  return { scheme, secret: edit === null ? secret : editedOf(secret, edit) };
}

function schemeOf(hmac: AdviceChange["hmac"]): SignatureScheme | null {
  if ("preset" in hmac) return presetOf(hmac.preset).scheme;
  const custom = customScheme.safeParse(hmac);
  if (!custom.success) return null;
  const scheme = customSchemeOf(custom.data);
  return schemeFault(scheme) === null ? scheme : null;
}

const editedOf = ({ current }: OpenSecret, edit: SecretEdit): OpenSecret => ({
  current: editedSecret(current, edit),
  previous: null,
});
