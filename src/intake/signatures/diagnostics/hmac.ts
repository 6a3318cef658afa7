import { equalBytes } from "../../../lib/secrets.ts";
import { hmac, isHash } from "../hmac.ts";
import { firstAccepted, schemeChange } from "./change.ts";
import { examineText, otherPreset } from "./examine.ts";
import {
  type Diagnosis,
  diagnosisOf,
  type Finding,
  type UnverifiedRequest,
  withinRate,
} from "./finding.ts";
import { diagnoseJwt } from "./jwt.ts";
import { keysOf, VARIABLE } from "./keys.ts";
import { endpointOfHmac } from "./other-endpoints.ts";
import type { SentDigest } from "./sent-headers.ts";
import type { Test } from "./trials.ts";

/**
 * Explains why a request's signature does not match. Tries known variants in bounded time, and never
 * reveals a secret. A change is advised only if the request is accepted under it.
 */
export async function diagnose(unverified: UnverifiedRequest): Promise<Diagnosis> {
  const { scheme, secret, request, now, verdict } = unverified;
  const none = () => noneOf(unverified);
  return await withinRate(secret, now, async () =>
    scheme.form === "jwt"
      ? await diagnoseJwt(scheme, request, verdict, none)
      : await diagnoseText(unverified, none),
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
