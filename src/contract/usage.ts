import * as z from "zod";
import type { ExecutionStatus } from "./execution.ts";
import { timestamp } from "./fields.ts";
import type { RequestStatus } from "./inbound/log.ts";

const count = z.int().min(0);

export const usageBucket = z
  .enum(["hour", "day"])
  .describe("How long a bucket is. All begin at whole hours or days of UTC.");
export type UsageBucket = z.infer<typeof usageBucket>;

const range = {
  bucket: usageBucket,
  from: timestamp.describe("The beginning of the first bucket."),
  to: timestamp.describe("The end of the last bucket."),
  countedFrom: timestamp.describe(
    "What came before is not in the figures, since there was too much to count; else as `from`.",
  ),
};
const start = timestamp.describe("The beginning of the bucket.");

const executionFigures = z.object({
  executions: z
    .object({
      active: count.describe("Under way."),
      waiting_for_input: count.describe("Waiting for an answer or a yes."),
      completed: count.describe("Ended as they should."),
      failed: count.describe("Ended without a result: given up, timed out, by a fault."),
      stopped: count.describe("Ended by a user, or because their credits were used up."),
    } satisfies Record<ExecutionStatus, z.ZodType>)
    .describe("Executions that were created then, by the status that they have now."),
  creditsConsumed: count.describe("Credits that these have used so far."),
});
export type ExecutionFigures = z.infer<typeof executionFigures>;

/** The answer of GET /usage. */
export const usage = z
  .object({
    ...range,
    buckets: z.array(executionFigures.extend({ start })).describe("The oldest first."),
    total: executionFigures.describe("All buckets together."),
  })
  .meta({ id: "Usage", description: "Executions and credits over time." });
export type Usage = z.infer<typeof usage>;

const percentiles = z
  .object({
    p50: z.int().describe("Half were as fast as this, or faster."),
    p99: z.int().describe("99 of 100 were as fast as this, or faster."),
  })
  .nullable();
export type Percentiles = z.infer<typeof percentiles>;

const webhookFigures = z.object({
  requests: z
    .object({
      rejected: count.describe("Refused by a check."),
      queued: count.describe("Waiting to be started."),
      running: count.describe("With an execution under way."),
      succeeded: count.describe("With an execution that completed."),
      failed: count.describe("With one that failed or was stopped, or that could not be started."),
      duplicate: count.describe("Seen before, so that nothing was started."),
    } satisfies Record<RequestStatus, z.ZodType>)
    .describe("Requests that came then, by the status that they have now."),
  latencyMs: z
    .object({
      toStart: percentiles.describe("From arrival to the start; null where nothing started."),
      toCompletion: percentiles.describe("From arrival to the end; null where nothing ended."),
    })
    .describe("Of the newest requests of each bucket."),
});
export type WebhookFigures = z.infer<typeof webhookFigures>;

/** The answer of GET /webhooks/:endpointId/usage. */
export const webhookUsage = z
  .object({
    ...range,
    buckets: z.array(webhookFigures.extend({ start })).describe("The oldest first."),
    total: webhookFigures.describe("All buckets together."),
  })
  .meta({ id: "WebhookUsage", description: "What an endpoint got over time." });
export type WebhookUsage = z.infer<typeof webhookUsage>;

/** The answer of GET /usage/webhooks. */
export const allWebhookUsage = webhookUsage
  .extend({
    endpoints: z
      .array(
        webhookFigures.extend({
          endpointId: z.string().describe("The endpoint."),
          name: z.string().describe("Its name."),
          workflowId: z.string().nullable().describe("The workflow that it starts, if any."),
          queuedCount: count.describe("Requests that wait to be started, now."),
        }),
      )
      .describe("The newest first."),
    moreEndpoints: z
      .boolean()
      .describe("Whether there are older endpoints, which are not in the figures."),
  })
  .meta({ id: "AllWebhookUsage", description: "What the account's endpoints got over time." });
export type AllWebhookUsage = z.infer<typeof allWebhookUsage>;

/** Whole buckets from `from` on, up to and without `to`; epoch milliseconds. */
export interface UsageRange {
  from: number;
  to: number;
  bucketMs: number;
}

/** An execution that D1 does not have yet, as it is counted. */
export interface UncountedExecution {
  executionId: string;
  /** Epoch milliseconds. */
  createdAt: number;
  status: ExecutionStatus;
  creditsConsumed: number;
}

/** What an inbox is asked. */
export interface InboxUsageQuery extends UsageRange {
  /** Of how many entries of each status in each bucket the latencies are wanted. */
  samples: number;
}

/** Entries of one status in one bucket, with the latencies of the newest of them. */
export interface UsageStratum {
  /** The beginning of the bucket, epoch milliseconds. */
  start: number;
  status: RequestStatus;
  count: number;
  /** How many of them were looked at for the latencies; not each has one. */
  sampled: number;
  toStart: number[];
  toCompletion: number[];
}

export interface InboxUsage {
  /** What came before was not counted; epoch milliseconds. */
  countedFrom: number;
  queuedCount: number;
  strata: UsageStratum[];
}
