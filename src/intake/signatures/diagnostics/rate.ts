import type { Diagnosis } from "./findings.ts";

/** Diagnoses of one credential within the window: forged requests are free for an attacker. */
const MAX_DIAGNOSES = 30;
const WINDOW_MS = 10_000;

/** Times of recent diagnoses, by the stored credential. */
const diagnoses = new WeakMap<object, number[]>();

/** Counts a diagnosis. Returns whether there is room for it. */
export function isWithinRate(credential: object, now: number): boolean {
  const recent = (diagnoses.get(credential) ?? []).filter((time) => now - time < WINDOW_MS);
  if (recent.length >= MAX_DIAGNOSES) return false;
  diagnoses.set(credential, [...recent, now]);
  return true;
}

export const TOO_MANY: Diagnosis = {
  sentences: [
    `More than ${MAX_DIAGNOSES} requests were not authenticated within seconds, so this one was not examined.`,
  ],
  advice: null,
};
