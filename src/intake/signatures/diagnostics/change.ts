import type { AdviceChange, SecretEdit } from "../../../contract/webhooks/advice.ts";
import {
  customScheme,
  type PresetName,
  type SignatureScheme,
} from "../../../contract/webhooks/signature.ts";
import type { OpenSecret } from "../../types.ts";
import { customSchemeOf, schemeFault } from "../custom-scheme.ts";
import { isHash } from "../hmac.ts";
import { presetOf } from "../presets.ts";
import { verifySignature } from "../verify.ts";
import type { UnverifiedRequest } from "./finding.ts";
import { editedSecret } from "./keys.ts";
import { IN_ITEMS, type SentValue } from "./sent-headers.ts";
import { losesTime } from "./templates.ts";
import type { Match } from "./trials.ts";

/**
 * Returns the change of `auth.hmac` that makes an endpoint expect what matched, with a preset or with a
 * scheme of its own; null if settings alone do not tell it from what is configured.
 */
export function schemeChange(
  scheme: SignatureScheme,
  { key: { setting }, isSwapped, other, digest, template: sent }: Match,
  preset: PresetName | null,
): AdviceChange | null {
  const { header, encoding, algorithm, isSpaced } = digest;
  if (isSwapped || other.finding !== null || isSpaced || setting === null) return null;
  const { secretEncoding, edit: secret } = setting;
  if (preset !== null && presetOf(preset).scheme.secretEncoding === secretEncoding) {
    return { hmac: { preset }, secret };
  }
  // A prefix that is optional now would be required in the changed scheme.
  const isAsExpected = digest.inForm && !scheme.prefixOptional;
  const form = isAsExpected ? { form: scheme.form, prefix: scheme.prefix } : digest.form;
  if (form === null || !isHash(algorithm)) return null;
  const { template, timestamp, id, signed } = sent;
  const { in: part, signedHeaders, timestampHeader, idHeader } = scheme;
  // Values that the template does not name are signed by the list of headers.
  const listed = signed !== null &&
    signedHeaders !== undefined && {
      signedHeaders,
      ...(timestampHeader !== null && { timestampHeader }),
      ...(idHeader !== null && { idHeader }),
    };
  const hmac = {
    header,
    ...form,
    encoding,
    algorithm,
    template,
    secretEncoding,
    ...(part === undefined ? listed : { in: part }),
    ...timestampPlace(timestamp),
    ...(id !== null && { idHeader: id.header }),
  };
  return { hmac, secret };
}

function timestampPlace(sent: SentValue | null) {
  if (sent === null || sent.pair === IN_ITEMS) return {};
  return sent.pair === null ? { timestampHeader: sent.header } : { timestampPair: sent.pair };
}

/** Returns the first change under which the request is accepted, or null. None gives up a signed time. */
export async function firstAccepted(
  { scheme, secret, request, now }: UnverifiedRequest,
  changes: (AdviceChange | null)[],
): Promise<AdviceChange | null> {
  for (const change of changes) {
    const after = change && applied(change, secret);
    if (!after || losesTime(scheme, after.scheme)) continue;
    if ((await verifySignature(after.scheme, after.secret, request, now)).ok) return change;
  }
  return null;
}

/** Returns the scheme and the secret after a change; null if the endpoint would not take the scheme. */
export function applied(
  { hmac, secret: edit }: AdviceChange,
  secret: OpenSecret,
): { scheme: SignatureScheme; secret: OpenSecret } | null {
  const scheme = hmac === undefined ? null : schemeOf(hmac);
  return scheme && { scheme, secret: editedOf(secret, edit) };
}

function schemeOf(hmac: NonNullable<AdviceChange["hmac"]>): SignatureScheme | null {
  if ("preset" in hmac) return presetOf(hmac.preset).scheme;
  const custom = customScheme.safeParse(hmac);
  if (!custom.success) return null;
  const scheme = customSchemeOf(custom.data);
  return schemeFault(scheme) === null ? scheme : null;
}

/** Returns a secret after an edit. */
export function editedOf(secret: OpenSecret, edit: SecretEdit | null): OpenSecret {
  if (edit === null) return secret;
  return { current: editedSecret(secret.current, edit), previous: null };
}
