import * as z from "zod";
import { executionStatus } from "../execution.ts";
import type { Json, JsonObject } from "../json.ts";
import type { InboxUsage, InboxUsageQuery } from "../usage.ts";
import type { EndpointConfig } from "./endpoint.ts";
import type { LogEntry, RequestStatus } from "./log.ts";
import type { StageError } from "./payload.ts";

/** What the log keeps of a request, redacted. Times are epoch milliseconds. */
export interface ReceivedRequest {
  requestId: string;
  method: string;
  path: string;
  query: LogEntry["query"];
  headers: LogEntry["headers"];
  /** As the sender named it; how `body` is to be read. */
  contentType: string | null;
  /** Inflated; null for none. */
  body: Uint8Array | null;
  /** Whether `body` is only the beginning. */
  bodyTruncated: boolean;
  sourceIp: string | null;
  receivedAt: number;
  replayOf: string | null;
  edited: boolean;
}

/** What admission made of a request. */
export type Decision =
  | {
      kind: "accept";
      /** Null for none: nothing is tracked then. */
      eventId: string | null;
      /** Null while no workflow is attached: it is mapped when it is released. */
      mappedInputs: JsonObject | null;
      warnings: string[];
    }
  /** A provider's challenge, or whatever else is answered and starts nothing. */
  | { kind: "answer"; httpStatus: number }
  | {
      kind: "refuse";
      httpStatus: number;
      /** The first is of the stage that refused. */
      errors: StageError[];
      diagnosis: string[];
      eventId: string | null;
    };

/** A request that is handed to its endpoint's inbox, under the configuration that decided about it. */
export interface Arrival {
  configVersion: number;
  request: ReceivedRequest;
  decision: Decision;
}

export type Receipt =
  /** The configuration has changed since; nothing was stored. To be looked at again under this one. */
  | { kind: "outdated"; config: EndpointConfig }
  /** The inbox knows no configuration, or an older one; nothing was stored. `configure` it first. */
  | { kind: "behind" }
  /** `executionId` is null while it is held. */
  | { kind: "accepted"; executionId: string | null; duplicate: boolean }
  | { kind: "duplicate"; executionId: string | null; requestId: string }
  | { kind: "rate_limited"; retryAfterSeconds: number }
  /** As many are held as may be. */
  | { kind: "full"; detail: string }
  | { kind: "noted" };

/** A request that waits to be started. */
export interface WorkItem {
  requestId: string;
  executionId: string;
  origin: "webhook" | "replay";
  /** The configuration that it runs under, by its version; its workflow is not null. */
  configVersion: number;
  work:
    | { kind: "mapped"; inputs: JsonObject }
    /** Held until now, and mapped by whoever starts it. */
    | { kind: "unmapped"; request: ReceivedRequest };
}

/** A part of the inbox's work, as one message of the queue names it. */
export interface WorkBatch {
  configs: EndpointConfig[];
  items: WorkItem[];
  /**
   * Whether more of these requests wait than one answer can carry (a call carries 32 MiB at most): to
   * be asked for again once these are acknowledged.
   */
  more: boolean;
}

/** What became of one item of a batch. */
export type WorkOutcome =
  /** The account has it: it runs. `mappedInputs` for one that was mapped just now. */
  | { requestId: string; kind: "handed"; mappedInputs?: JsonObject; warnings?: string[] }
  | { requestId: string; kind: "failed"; errors: StageError[] };

/** What a session tells the log of the request that started it. Times are epoch milliseconds. */
export const runReport = z.object({
  requestId: z.uuid(),
  executionId: z.uuid(),
  /** The execution's own; of two reports the higher is the newer. */
  version: z.int(),
  status: executionStatus,
  startedAt: z.int().nullable(),
  finishedAt: z.int().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable(),
});
export type RunReport = z.infer<typeof runReport>;

/** A place in the log: entries go from the newest to the oldest. */
export interface LogPosition {
  receivedAt: number;
  requestId: string;
}

/** Filters of GET .../requests, parsed. Times are epoch milliseconds. */
export interface LogQuery {
  limit: number;
  cursor: LogPosition | null;
  statuses: RequestStatus[];
  duplicate: boolean | null;
  receivedAfter: number | null;
  receivedBefore: number | null;
}

/**
 * A logged request with what is needed to look at it again. The entry is as lists show it, but with all
 * of its inputs: the whole body is in `request`, and would be too much twice.
 */
export interface LoggedRequest {
  entry: LogEntry;
  request: ReceivedRequest;
}

/** What the inbox has learned of the payloads that it accepted. */
export interface LearnedShape {
  /** Payloads that it was learned from. */
  learnedFrom: number;
  /** JSON of the profile, as `inbound/shape` keeps it; null before the first payload. */
  profile: Json;
  /** Entries in the log whose shape was not the learned one. */
  drifted: number;
}

/**
 * The object of one endpoint: the serial owner of its claims on event ids, its rate, its log and the
 * work that its requests make. It does not ask whose the endpoint is: the callers have looked that up.
 */
export interface InboxApi {
  /** Takes in a request: claim, log entry and work in one transaction. */
  accept(arrival: Arrival): Promise<Receipt>;
  /** Takes over a configuration, unless it is older than the one there is. */
  configure(config: EndpointConfig): Promise<void>;
  /** The configuration is about to change in D1: if nobody tells how, the inbox looks there itself. */
  expectChange(): Promise<void>;

  /** What of these requests still waits to be started, in the order of arrival. */
  workBatch(requestIds: string[]): Promise<WorkBatch>;
  acknowledge(outcomes: WorkOutcome[]): Promise<void>;
  /** A request that waits to be started under this id, for whoever asks about it before it is. */
  pending(executionId: string): Promise<WorkBatch>;
  /** What a session says counts more than an outcome: a start that looked failed may have happened. */
  report(report: RunReport): Promise<void>;

  list(query: LogQuery): Promise<{ entries: LogEntry[]; next: LogPosition | null }>;
  entry(requestId: string): Promise<LoggedRequest | null>;
  /**
   * The newest requests with a whole body that were not refused before their payload was read, from
   * after a place on; fewer than `limit` where one call cannot carry them, and then `next` tells where
   * to go on. Null: there are no more.
   */
  recent(
    limit: number,
    after: LogPosition | null,
  ): Promise<{ requests: LoggedRequest[]; next: LogPosition | null }>;
  /** Whether this event id was claimed, and by which request. */
  claimOf(eventId: string): Promise<{ requestId: string; executionId: string | null } | null>;
  queuedCount(): Promise<number>;
  shape(): Promise<LearnedShape>;
  /** What came in a range of time, by its status, and how long it took. */
  usage(query: InboxUsageQuery): Promise<InboxUsage>;
}

/** A message of the inbound queue: ids only. */
export const inboundMessage = z.object({
  v: z.literal(1),
  endpointId: z.string(),
  requestIds: z.array(z.uuid()).min(1),
});
export type InboundMessage = z.infer<typeof inboundMessage>;
