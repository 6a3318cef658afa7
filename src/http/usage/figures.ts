import type { ExecutionFigures, UncountedExecution, UsageRange } from "../../contract/usage.ts";
import type { ExecutionCount } from "../../records/usage.ts";
import { iso, startsOf } from "./range.ts";

/** Counts of executions as the buckets that they lie in, beside those that were not counted yet. */
export function executionBuckets(
  range: UsageRange,
  counts: readonly ExecutionCount[],
  uncounted: readonly UncountedExecution[],
): { buckets: (ExecutionFigures & { start: string })[]; total: ExecutionFigures } {
  const total = noExecutions();
  const buckets = startsOf(range).map((start) => ({ start: iso(start), ...noExecutions() }));
  const add = (count: ExecutionCount) => {
    const bucket = buckets[(count.start - range.from) / range.bucketMs];
    if (bucket === undefined) return;
    for (const figures of [bucket, total]) {
      figures.executions[count.status] += count.executions;
      figures.creditsConsumed += count.creditsConsumed;
    }
  };
  counts.forEach(add);
  for (const { createdAt, status, creditsConsumed } of uncounted) {
    add({
      start: createdAt - (createdAt % range.bucketMs),
      status,
      executions: 1,
      creditsConsumed,
    });
  }
  return { buckets, total };
}

function noExecutions(): ExecutionFigures {
  return {
    executions: { active: 0, waiting_for_input: 0, completed: 0, failed: 0, stopped: 0 },
    creditsConsumed: 0,
  };
}
