import * as z from "zod";
import { atLeastOne, closed, oneOf, open, whole } from "./fields.ts";

const MOST = 1_000_000_000;
const limit = (most: number) => whole(0, most);

/** The quotas of an account that has none of its own. */
export const DEFAULT_QUOTAS = {
  endpoints: 100,
  workflows: 1_000,
  storedBytes: 5 * 1_073_741_824,
  activeExecutions: 1_000,
  webhookRequestsPerMinute: 60_000,
};

/** The most that an account may have of each resource. */
export const quotas = closed({
  endpoints: limit(MOST).describe("Webhook endpoints, without deleted ones."),
  workflows: limit(MOST).describe("Workflows."),
  storedBytes: limit(Number.MAX_SAFE_INTEGER).describe("Bytes of executions, files and logs."),
  activeExecutions: limit(MOST).describe("Executions that have not ended."),
  webhookRequestsPerMinute: limit(MOST).describe("Webhook requests per minute, of all endpoints."),
}).meta({ id: "Quotas", description: "The quotas of an account." });
export type Quotas = z.infer<typeof quotas>;
export type Quota = keyof Quotas;

/** A change of some quotas. */
export const quotaChange = quotas.partial().meta({ id: "QuotaChange" });

const use = (quota: Quota) =>
  open({
    used: z.int().describe("What the account has now."),
    limit: z.int().describe("What the account may have."),
  }).describe(quotas.shape[quota].description ?? quota);

/** Each quota with what is used of it. */
export const quotaUse = open({
  endpoints: use("endpoints"),
  workflows: use("workflows"),
  storedBytes: use("storedBytes"),
  activeExecutions: use("activeExecutions"),
  webhookRequestsPerMinute: use("webhookRequestsPerMinute"),
}).meta({ id: "QuotaUse", description: "Each quota with what is used of it." });
export type QuotaUse = z.infer<typeof quotaUse>;

/** Returns the sentence of the error that a reached quota answers. */
export function quotaReached(quota: Quota, most: number): string {
  return `The account's quota \`${quota}\` of ${most} is used up. ${ADVICE[quota]}`;
}

const ADVICE: Record<Quota, string> = {
  endpoints: "Delete an endpoint, or ask the operators for more.",
  workflows: "Delete a workflow, or ask the operators for more.",
  storedBytes:
    "Shorten `retentionDays`, delete endpoints or wait for old executions to be removed, or ask the operators for more.",
  activeExecutions: "Try again when one has ended, or ask the operators for more.",
  webhookRequestsPerMinute: "Try again later, or ask the operators for more.",
};

/** What an endpoint's account allows: not set by the endpoint's owner. */
export const inboundControls = open({
  /** A suspended account accepts nothing. */
  suspended: z.boolean(),
  /** Requests per minute that the inbox accepts without asking the account for its share. */
  unaskedPerMinute: z.int(),
});
export type InboundControls = z.infer<typeof inboundControls>;

export const DEFAULT_CONTROLS = controlsOf({ suspended: false, quotas: DEFAULT_QUOTAS });

/**
 * Returns the controls of the account's endpoints. What they accept unasked comes to a tenth of the quota
 * at most, so that quiet endpoints cost no call and the quota is exact to a tenth.
 */
export function controlsOf({
  suspended,
  quotas,
}: {
  suspended: boolean;
  quotas: Quotas;
}): InboundControls {
  const { webhookRequestsPerMinute, endpoints } = quotas;
  const unaskedPerMinute = Math.floor(webhookRequestsPerMinute / (10 * Math.max(1, endpoints)));
  return { suspended, unaskedPerMinute };
}

const atMost = whole(1, 1_000_000_000);

const fields = {
  creditsPerDay: atMost.optional().describe("The credits that are consumed in any 24 hours."),
  executionsPerHour: atMost.optional().describe("The executions that start in any hour."),
};
const onExceeded = oneOf("hold", "ask", "fail").describe(
  "`hold`: further executions are accepted and stay `queued` until there is room. `ask`: they are accepted, and a person decides whether each starts. `fail`: they are refused with 429, or end as `failed` with `limit_reached` where a webhook or a schedule started them.",
);

/** Limits of a workflow or an endpoint, as a body has them. */
export const limitsBody = closed({ ...fields, onExceeded: onExceeded.default("hold") })
  .refine(
    ({ creditsPerDay, executionsPerHour }) =>
      creditsPerDay !== undefined || executionsPerHour !== undefined,
    "must have `creditsPerDay` or `executionsPerHour`",
  )
  .meta({
    id: "Limits",
    description: "The most that it uses in a day and starts in an hour.",
    ...atLeastOne("creditsPerDay", "executionsPerHour"),
  });

/** Limits as they are stored and shown; null for none. */
export const limits = open({ ...fields, onExceeded })
  .meta({
    id: "StoredLimits",
    description: "The most that it uses in a day and starts in an hour.",
  })
  .nullable();
export type Limits = z.infer<typeof limits>;

/** The limits that an execution keeps, by the workflow or the endpoint that has them. */
export const limitOf = open({ ...fields, onExceeded, resourceId: z.string() });
export type LimitOf = z.infer<typeof limitOf>;

/** Returns the limits of the resources that have some. */
export function limitsOf(...all: [resourceId: string, limits: Limits][]): LimitOf[] {
  return all.flatMap(([resourceId, each]) => (each === null ? [] : [{ ...each, resourceId }]));
}
