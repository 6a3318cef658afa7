import type { Advice, AdviceChange, Cause } from "../../../contract/webhooks/advice.ts";
import type { PresetName, SignatureScheme } from "../../../contract/webhooks/signature.ts";
import { RateLimiter } from "../../../lib/rate-limiter.ts";
import type { InboundRequest, OpenSecret, Others } from "../../types.ts";
import type { Unverified } from "../signature-headers.ts";

/** A request whose signature was not verified. */
export interface UnverifiedRequest {
  scheme: SignatureScheme;
  /** The preset of the scheme; null for a custom one. */
  preset: PresetName | null;
  secret: OpenSecret;
  request: InboundRequest;
  /** Epoch milliseconds. */
  now: number;
  verdict: Unverified;
  others: Others;
}

/** A difference between what the sender does and what the endpoint expects. */
export interface Finding {
  cause: Cause;
  text: string;
}

/** What a diagnosis found. */
export interface Diagnosis {
  /** Sentences that say what differs and what to change. */
  sentences: string[];
  advice: Advice | null;
}

/** Returns a diagnosis of these findings, with the change that was tried. */
export function diagnosisOf(findings: Finding[], change: AdviceChange | null = null): Diagnosis {
  return {
    sentences: findings.map(({ text }) => text),
    advice: { causes: findings.map(({ cause }) => cause), change },
  };
}

/** Diagnoses of one credential within the window: forged requests are free for an attacker. */
const MAX_DIAGNOSES = 30;
const WINDOW_MS = 10_000;

/** Recent diagnoses, by the stored credential. */
const diagnoses = new WeakMap<object, RateLimiter>();

/** Diagnoses a request, unless there were too many for the credential. */
export async function withinRate(
  credential: object,
  now: number,
  examine: () => Promise<Diagnosis>,
): Promise<Diagnosis> {
  const recent = diagnoses.get(credential) ?? new RateLimiter(WINDOW_MS);
  diagnoses.set(credential, recent);
  return recent.take(now, MAX_DIAGNOSES).allowed ? await examine() : TOO_MANY;
}

const TOO_MANY: Diagnosis = {
  sentences: [
    `More than ${MAX_DIAGNOSES} requests were not authenticated within seconds, so this one was not examined.`,
  ],
  advice: null,
};
