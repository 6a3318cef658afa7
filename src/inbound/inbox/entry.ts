import * as z from "zod";
import type { ReceivedRequest } from "../../contract/inbound/inbox.ts";
import { requestId, requestStatus } from "../../contract/inbound/log.ts";
import { type StageError, stageError } from "../../contract/inbound/payload.ts";
import type { JsonObject } from "../../contract/json.ts";

/** What a request was answered, for its repeats. */
export const storedReceipt = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("accepted"),
    executionId: z.uuid().nullable(),
    duplicate: z.boolean(),
  }),
  z.object({ kind: z.literal("duplicate"), executionId: z.uuid().nullable(), requestId }),
  z.object({ kind: z.literal("rate_limited"), retryAfterSeconds: z.int() }),
  z.object({ kind: z.literal("full"), detail: z.string() }),
  z.object({ kind: z.literal("noted") }),
]);
export type StoredReceipt = z.infer<typeof storedReceipt>;

/** What was known of a request when it came, and never changes. */
const facts = z.object({
  v: z.literal(1),
  method: z.string(),
  path: z.string(),
  query: z.record(z.string(), z.union([z.string(), z.array(z.string())])),
  headers: z.record(z.string(), z.string()),
  contentType: z.string().nullable(),
  sourceIp: z.string().nullable(),
  replayOf: requestId.nullable(),
  edited: z.boolean(),
  httpStatus: z.int(),
  diagnosis: z.array(z.string()),
  receipt: storedReceipt,
});
export type Facts = z.infer<typeof facts>;

const outcome = z.object({ errors: z.array(stageError), warnings: z.array(z.string()) });
export type Outcome = z.infer<typeof outcome>;

/** JSON text of a column. */
const stored = <T>(shape: z.ZodType<T>) =>
  z
    .string()
    .transform((text): unknown => JSON.parse(text))
    .pipe(shape);
const flag = z.int().transform((value) => value === 1);

/** An entry of the log as its row has it. */
export const entryRow = z.object({
  seq: z.int(),
  request_id: z.string(),
  received_at: z.int(),
  status: requestStatus,
  duplicate: flag,
  drifted: flag,
  event_id: z.string().nullable(),
  first_id: z.string().nullable(),
  execution_id: z.string().nullable(),
  run_version: z.int(),
  to_start: z.int().nullable(),
  to_completion: z.int().nullable(),
  outcome: stored(outcome),
  facts: stored(facts),
  inputs: z.string().nullable(),
  inputs_chunked: flag,
  body_chunked: flag,
  body_truncated: flag,
  body: z.instanceof(ArrayBuffer).nullable(),
});
export type EntryRow = z.infer<typeof entryRow>;

/** What becomes of a request that arrives. */
export interface NewEntry {
  status: z.infer<typeof requestStatus>;
  httpStatus: number;
  errors: StageError[];
  warnings: string[];
  diagnosis: string[];
  eventId: string | null;
  /** Whether it holds the claim on its event id from now on. */
  claims: boolean;
  duplicate: boolean;
  /** The entry that holds the claim, where this one is a duplicate. */
  firstSeq: number | null;
  executionId: string | null;
  mappedInputs: JsonObject | null;
  receipt: StoredReceipt;
}

/** An arrival with what became of it, as it is stored. */
export interface Arrived {
  request: ReceivedRequest;
  entry: NewEntry;
  /** The inbox's own time, by which the rate is counted. */
  arrivedAt: number;
  /** Whether it counts for the rate. */
  counted: boolean;
}
