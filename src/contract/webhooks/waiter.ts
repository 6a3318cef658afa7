import * as z from "zod";
import { oneOf, open, whole } from "../fields.ts";
import { jsonObject } from "../json.ts";

const MAX_WAIT_SECONDS = 90 * 86_400;

export const waitForEventInput = open({
  endpointId: z.string().describe("The endpoint that receives the event."),
  // In words: the schema of nested conditions would be longer than those of all other parameters.
  when: jsonObject.describe(
    "The condition: {path, in?: body|header|query} with one of exists, equals, oneOf, matches, gt, gte, lt, lte; or {all: [..]}, {any: [..]}, {not: ..} or {jsonata}.",
  ),
  since: z.iso
    .datetime({ offset: true })
    .optional()
    .describe("Events since this time count; default: the start of this task."),
  timeoutSeconds: whole(1, MAX_WAIT_SECONDS).describe("At most 90 days."),
  wake: oneOf("one", "all")
    .default("all")
    .describe(
      "all: the event wakes every task that waits for it; one: the one that waits longest.",
    ),
});
export type WaitForEventInput = z.infer<typeof waitForEventInput>;

/** A call that waits for an event, as the endpoint's inbox stores it. Times are epoch milliseconds. */
export interface Waiter extends Pick<WaitForEventInput, "when" | "wake"> {
  executionId: string;
  callId: string;
  since: number;
  until: number;
}
