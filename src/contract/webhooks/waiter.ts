import * as z from "zod";
import { timestamp } from "../fields.ts";
import { jsonObject } from "../json.ts";
import { type Condition, condition } from "./routing.ts";

const MAX_WAIT_SECONDS = 90 * 86_400;

export const waitForEventInput = z.object({
  endpointId: z.string().describe("The endpoint that receives the event."),
  // In words: the schema of nested conditions would be longer than those of all other parameters.
  when: jsonObject.describe(
    "The condition: {path, in?: body|header|query} with one of exists, equals, oneOf, matches, gt, gte, lt, lte; or {all: [..]}, {any: [..]}, {not: ..} or {jsonata}.",
  ),
  since: z.iso
    .datetime({ offset: true })
    .optional()
    .describe("Events since this time count; default: the start of this task."),
  timeoutSeconds: z.int().min(1).max(MAX_WAIT_SECONDS).describe("At most 90 days."),
  wake: z
    .enum(["one", "all"])
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

/** A call that waits, as an export shows it. */
export interface WaitingCall extends Omit<Waiter, "since" | "when"> {
  when: Condition;
}

/** A call that waits, as the API shows it. */
export const waiterRecord = z
  .object({
    executionId: z.uuid().describe("The execution that waits."),
    callId: z.string().describe("The call of `wait_for_event`, as in the events of its execution."),
    when: condition,
    wake: waitForEventInput.shape.wake
      .unwrap()
      .describe(
        "Whether an event wakes the execution alone (`one`), or every one that it fulfils (`all`).",
      ),
    until: timestamp.describe("When the wait ends without an event."),
  })
  .meta({ id: "Waiter" });
export type WaiterRecord = z.infer<typeof waiterRecord>;
