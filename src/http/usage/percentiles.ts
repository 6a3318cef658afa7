import type { Percentiles } from "../../contract/usage.ts";

/** Values that stand for `of` others like them. */
export interface Sample {
  values: readonly number[];
  /** How many were looked at to find these values. */
  sampled: number;
  /** How many there are. */
  of: number;
}

/**
 * The nearest-rank percentiles of all that the samples stand for: a sample of a few among many weighs
 * more than one of all. Null where no sample has a value.
 */
export function percentilesOf(samples: readonly Sample[]): Percentiles {
  const weighed = samples
    .flatMap(({ values, sampled, of }) =>
      values.map((value) => ({ value, weight: of / Math.max(1, sampled) })),
    )
    .sort((a, b) => a.value - b.value);
  const whole = weighed.reduce((sum, { weight }) => sum + weight, 0);
  const p50 = atRank(weighed, whole * 0.5);
  const p99 = atRank(weighed, whole * 0.99);
  return p50 === null || p99 === null ? null : { p50, p99 };
}

/** The first value up to which there is this much; sums of fractions may miss the end by a hair. */
function atRank(
  weighed: readonly { value: number; weight: number }[],
  rank: number,
): number | null {
  let passed = 0;
  for (const { value, weight } of weighed) {
    passed += weight;
    if (passed >= rank - 1e-6) return value;
  }
  return weighed.at(-1)?.value ?? null;
}
