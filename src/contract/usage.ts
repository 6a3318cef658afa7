import * as z from "zod";
import type { ExecutionStatus } from "./execution.ts";
import { listOf, oneOf, open, timestamp } from "./fields.ts";
import type { RequestStatus } from "./webhooks/log.ts";

const count = z.int().min(0);

export const usageBucket = oneOf("hour", "day").describe("The length of a bucket, in UTC.");
export type UsageBucket = z.infer<typeof usageBucket>;
/** The lengths of the buckets in milliseconds. */
export const BUCKET_MS: Record<UsageBucket, number> = { hour: 3_600_000, day: 86_400_000 };

const range = {
  bucket: usageBucket,
  from: timestamp.describe("The start of the first bucket."),
  to: timestamp.describe("The end of the last bucket."),
  countedFrom: timestamp.describe("Since when it counts: `from`, or later if there was too much."),
};
const start = timestamp.describe("The start of the bucket.");

const executionFigures = open({
  executions: open({
    active: count.describe("Executions that are active."),
    waiting_for_input: count.describe("Executions waiting for an answer, a decision or an event."),
    completed: count.describe("Completed executions."),
    failed: count.describe("Executions that failed or timed out."),
    stopped: count.describe("Executions that somebody, a limit or an event stopped."),
  } satisfies Record<ExecutionStatus, z.ZodType>).describe("Those created then, by status now."),
  creditsConsumed: count.describe("The credits that they consumed so far."),
  costUsd: z.number().describe("The price of their tokens in USD, as far as known."),
});
export type ExecutionFigures = z.infer<typeof executionFigures>;

/** The response of GET /usage. */
export const usage = open({
  ...range,
  buckets: listOf(executionFigures.extend({ start })).describe("The buckets, oldest first."),
  total: executionFigures.describe("The sum of all buckets."),
}).meta({ id: "Usage", description: "Executions and credits over time." });
export type Usage = z.infer<typeof usage>;

const webhookFigures = open({
  requests: open({
    rejected: count.describe("Requests that a check rejected."),
    queued: count.describe("Requests that are not started yet."),
    running: count.describe("Requests whose execution is active."),
    succeeded: count.describe("Requests whose execution completed, and checks of the address."),
    failed: count.describe("Requests whose execution failed, was stopped or did not start."),
    duplicate: count.describe("Duplicates, which start nothing."),
    unrouted: count.describe("Requests that no route matched."),
    superseded: count.describe("Requests that a further event of their case replaced."),
    logged: count.describe("Requests that were accepted and start nothing."),
  } satisfies Record<RequestStatus, z.ZodType>).describe("The requests of this time, by status."),
  overLimit: count.describe("About how many exceeded a rate limit. They are not logged."),
});
export type WebhookFigures = z.infer<typeof webhookFigures>;

/** The response of GET /usage/webhooks. */
export const allWebhookUsage = open({
  ...range,
  buckets: listOf(webhookFigures.extend({ start })).describe("The buckets, oldest first."),
  total: webhookFigures.describe("The sum of all buckets."),
  endpoints: listOf(
    webhookFigures.extend({
      endpointId: z.string().describe("The endpoint."),
      name: z.string().describe("The display name of the endpoint."),
      workflowId: z.string().nullable().describe("The workflow of the endpoint, or null."),
      queuedCount: count.describe("The number of requests that wait for their start now."),
    }),
  ).describe("The items, newest first."),
  moreEndpoints: z.boolean().describe("Whether older endpoints exist that are not counted."),
}).meta({ id: "AllWebhookUsage", description: "The requests of all endpoints over time." });
export type AllWebhookUsage = z.infer<typeof allWebhookUsage>;

export const usageKey = oneOf("workflow", "key", "model").describe("What they are grouped by.");

/** The response of GET /usage/breakdown. */
export const usageBreakdown = open({
  by: usageKey,
  from: range.from,
  to: range.to,
  countedFrom: range.countedFrom,
  items: listOf(
    executionFigures.extend({
      id: z.string().nullable().describe("The workflow, the key or the model, or null."),
    }),
  ).describe("The 1,000 items that consumed the most credits, largest first."),
}).meta({ id: "UsageBreakdown", description: "Executions and credits by workflow, key or model." });
export type UsageBreakdown = z.infer<typeof usageBreakdown>;

/** Whole buckets from `from` up to and without `to`, in epoch milliseconds. */
export interface UsageRange {
  from: number;
  to: number;
  bucketMs: number;
}

/** The field of an execution that the figures are divided by. */
export type UsageField = "workflowId" | "keyId" | "model";

/** Entries of one status in one bucket. */
export interface UsageStratum {
  /** The start of the bucket, in epoch milliseconds. */
  start: number;
  status: RequestStatus;
  count: number;
}

export interface InboxUsage {
  /** The start of the counted time, in epoch milliseconds. */
  countedFrom: number;
  queuedCount: number;
  strata: UsageStratum[];
  /** Requests beyond a rate limit, by the start of their bucket. */
  overLimit: { start: number; count: number }[];
}
