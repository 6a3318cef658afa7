import type { AdviceChange } from "../../../contract/webhooks/advice.ts";
import {
  customScheme,
  type PresetName,
  type SignatureScheme,
} from "../../../contract/webhooks/signature.ts";
import { equalBytes } from "../../../lib/secrets.ts";
import type { OpenSecret } from "../../types.ts";
import { customSchemeOf, schemeFault } from "../custom-scheme.ts";
import { hmac, isHash } from "../hmac.ts";
import { presetOf } from "../presets.ts";
import { verifySignature } from "../verify.ts";
import { diagnoseJwt, examineText, otherPreset } from "./examine.ts";
import {
  type Diagnosis,
  diagnosisOf,
  type Finding,
  type UnverifiedRequest,
  withinRate,
} from "./finding.ts";
import { editedOf, keysOf, VARIABLE } from "./keys.ts";
import { endpointOfHmac } from "./other-endpoints.ts";
import { IN_ITEMS, type SentDigest, type SentValue } from "./sent-headers.ts";
import { losesTime, type Match, type Test } from "./trials.ts";

/**
 * Explains why a request's signature does not match. Tries known variants in bounded time, and never
 * reveals a secret. A change is advised only if the request is accepted under it.
 */
export async function diagnose(unverified: UnverifiedRequest): Promise<Diagnosis> {
  const { scheme, secret, now, verdict } = unverified;
  const none = () => noneOf(unverified);
  return await withinRate(secret, now, async () =>
    scheme.form === "jwt" ? await diagnoseJwt(verdict, none) : await diagnoseText(unverified, none),
  );
}

async function diagnoseText(
  unverified: UnverifiedRequest,
  none: () => Promise<Finding[]>,
): Promise<Diagnosis> {
  const { scheme, preset, secret, request, now, verdict } = unverified;
  const { findings, match, used } = await examineText(scheme, request, verdict, {
    keys: keysOf(secret, scheme.secretEncoding, preset ?? "", now),
    isSwappable: true,
    audience: "",
    testOf: digestTest,
    none,
  });
  if (match === null) return diagnosisOf(findings);
  // A preset also knows event ids and handshakes: it is kept where it can be.
  const presets = [preset, otherPreset(used, match)].filter((each) => each !== null);
  const changes = [...presets, null].map((each) => schemeChange(used, match, each));
  return diagnosisOf(findings, await firstAccepted(unverified, changes));
}

/** Says what is left where no variant matches. */
async function noneOf(unverified: UnverifiedRequest): Promise<Finding[]> {
  const { scheme, secret, request, now, others } = unverified;
  const other = await endpointOfHmac(scheme, request, now, others);
  return other === null ? [...secretFindings(secret.current), NO_VARIANT] : [other];
}

const NO_VARIANT: Finding = {
  cause: "unknown",
  text: "No known variant matches: the sender uses another secret, or the body was changed in transit.",
};

/** Recognizes a secret that is not one of webhooks. */
function secretFindings(secret: string): Finding[] {
  if (VARIABLE.test(secret)) {
    const text = "The stored secret is the name of a variable. Save its value instead.";
    return [{ cause: "secret_variable", text }];
  }
  if (!/^(?:sk|pk|rk)_(?:live|test)_/.test(secret)) return [];
  const text =
    "The stored secret is an API key. Save the signing secret of the webhook instead, such as whsec_…";
  return [{ cause: "secret_of_api", text }];
}

/** Returns a test of a trial: whether its message has one of these digests under its key. */
function digestTest(digests: SentDigest[]): { test: Test; cost: number } {
  const algorithms = [...new Set(digests.map(({ algorithm }) => algorithm))].filter(isHash);
  return {
    cost: algorithms.length,
    test({ key: { bytes: key }, isSwapped }, message) {
      for (const algorithm of algorithms) {
        const digest = isSwapped ? hmac(algorithm, message, key) : hmac(algorithm, key, message);
        const sent = digests.find(({ bytes }) => equalBytes(bytes, digest));
        if (sent !== undefined) return sent;
      }
      return null;
    },
  };
}

/**
 * Returns the change of `auth.hmac` that makes an endpoint expect what matched, with a preset or with a
 * scheme of its own; null if settings alone do not tell it from what is configured.
 */
function schemeChange(
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
async function firstAccepted(
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
