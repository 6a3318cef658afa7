import * as z from "zod";
import { atLeastOne, closed, oneOf, open, whole } from "./fields.ts";

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
