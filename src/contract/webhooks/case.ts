import * as z from "zod";
import { listOf, open, timestamp } from "../fields.ts";
import { endpointId } from "./endpoint.ts";
import { requestId, requestStatus } from "./log.ts";
import { onEvent } from "./routing.ts";

const executionId = z.uuid().describe("The id of the execution.");
const at = timestamp.describe("When it happened.");

/** A point of a case's timeline. */
const caseMoment = z
  .discriminatedUnion("type", [
    open({
      type: z.literal("event").describe("An event arrived."),
      at,
      requestId: requestId.describe("The request that brought it."),
      eventType: z.string().nullable().describe("The sender's name of the event's type, or null."),
      status: requestStatus,
      executionId: executionId.nullable().describe("The execution that got it, or null."),
    }),
    open({ type: z.literal("execution.started").describe("It started."), at, executionId }),
    open({
      type: z.literal("execution.ended").describe("It ended."),
      at,
      executionId,
      status: requestStatus,
    }),
  ])
  .meta({ id: "CaseMoment" });
export type CaseMoment = z.infer<typeof caseMoment>;

/** What a route keeps in order for one key. */
export const caseRecord = open({
  endpointId,
  route: z.string().describe("The name of the route."),
  key: z.string().describe("The value that its events share."),
  onEvent,
  executionId: executionId.nullable().describe("The execution that is live, or null."),
  waiting: z.int().describe("The number of events that wait."),
  updatedAt: timestamp.describe("When its newest event arrived."),
  timeline: listOf(caseMoment).describe(
    "A stretch of its events, the newest at first, with the starts and ends of executions: a start stands with the first event of its execution, an end with the last. In the order of time.",
  ),
  truncated: z.boolean().describe("Whether there are earlier events: filter by `key` to page."),
}).meta({ id: "Case" });
export type CaseRecord = z.infer<typeof caseRecord>;

/**
 * Filters of GET /cases, parsed. `before` is the place where the previous page ended: with a key the number of
 * an event, else that of a case.
 */
export interface CaseQuery {
  key: string | null;
  route: string | null;
  before: number | null;
  limit: number;
}

/** A page of cases, the newest first; `next` is null on the last one. */
export interface CasePage {
  cases: CaseRecord[];
  next: number | null;
}
