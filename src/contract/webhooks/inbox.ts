import * as z from "zod";
import type { Resealed } from "../../lib/resealer.ts";
import type { Copied } from "../backup.ts";
import { executionStatus } from "../execution.ts";
import { listOf, open } from "../fields.ts";
import type { ReplayVerdict } from "../jobs.ts";
import type { Json, JsonObject } from "../json.ts";
import type { FeedPage, FeedQuery, SubscriptionsApi } from "../mcp-events.ts";
import type { Waiter } from "../tools/call.ts";
import type { InboxUsage, UsageRange } from "../usage.ts";
import type { Advice } from "./advice.ts";
import type { CasePage, CaseQuery } from "./case.ts";
import type { EndpointConfig } from "./endpoint.ts";
import {
  type BatchItem,
  type EventIdSource,
  type LogEntry,
  type RequestStatus,
  requestId,
} from "./log.ts";
import type { StageError } from "./payload.ts";
import type { RouteMatch } from "./routing.ts";
import type { SourceState } from "./source.ts";

/** A request as the log keeps it, redacted. Times are epoch milliseconds. */
export interface ReceivedRequest {
  requestId: string;
  method: string;
  path: string;
  query: LogEntry["query"];
  headers: LogEntry["headers"];
  /** The media type of `body`, as the sender named it. */
  contentType: string | null;
  /** Inflated; null for none. */
  body: Uint8Array | null;
  /** Whether `body` is only the beginning. */
  bodyTruncated: boolean;
  sourceIp: string | null;
  receivedAt: number;
  replayOf: string | null;
  edited: boolean;
  /** Left out for a request that is no item of a batch. */
  batch?: BatchItem | null;
}

/** The decision of one route about a request. */
export interface RouteDecision extends Omit<RouteMatch, "workflowRevision"> {
  /** Null unless the route matched and the request could be mapped. */
  inputs: JsonObject | null;
  warnings: string[];
  /** Why a route that matched cannot start. */
  errors: StageError[];
}

/** The decision of admission about a request. */
export type Decision =
  | {
      kind: "accept";
      /** Null if the request has none; the inbox then tracks no duplicates. */
      eventId: string | null;
      eventIdSource: EventIdSource | null;
      eventType?: string | null;
      /** The key by which duplicates are found: requests with the same one are the same event. */
      eventKey: string | null;
      /** Null while no workflow is attached: the request is mapped when it is released. */
      mappedInputs: JsonObject | null;
      warnings: string[];
      /** One for each route of the endpoint; null or left out for an endpoint without routes. */
      routes?: RouteDecision[] | null;
    }
  /** A sender's handshake. It gets its response and starts nothing. */
  | {
      kind: "answer";
      httpStatus: number;
      /** Whether the sender passed authentication before; a handshake may come without it. */
      isVerified: boolean;
    }
  | {
      kind: "refuse";
      httpStatus: number;
      /** Whether the sender passed authentication before. */
      isVerified: boolean;
      /** The first error belongs to the stage that refused. */
      errors: StageError[];
      diagnosis: string[];
      advice: Advice | null;
      eventId: string | null;
      eventIdSource: EventIdSource | null;
      eventType: string | null;
      routes: RouteDecision[] | null;
    };

/** A request for its endpoint's inbox, with the version of the newest configuration that is known. */
export interface Arrival {
  configVersion: number;
  /** The earlier configuration that admitted it, and that it runs under; left out for the newest one. */
  under?: EndpointConfig;
  request: ReceivedRequest;
  decision: Decision;
  /** Requests that were refused since the last arrival and did not reach the inbox. */
  turnedAway?: number;
}

/** What a request was answered, as its entry keeps it for repeats. */
export const storedReceipt = z.discriminatedUnion("kind", [
  /** `executionId` is null while the request is held. `isUnrouted`: no route matched. */
  z.object({
    kind: z.literal("accepted"),
    executionId: z.uuid().nullable(),
    duplicate: z.boolean(),
    isUnrouted: z.boolean().optional(),
    /** It starts nothing and waits for nothing. */
    isLogged: z.boolean().optional(),
  }),
  z.object({ kind: z.literal("duplicate"), executionId: z.uuid().nullable(), requestId }),
  /** `detail`: the sentence about the account's quota, if that is reached and not the endpoint's limit. */
  z.object({
    kind: z.literal("rate_limited"),
    retryAfterSeconds: z.int(),
    detail: z.string().optional(),
  }),
  /** The limit of held requests, or the account's quota of stored bytes, is reached. */
  z.object({ kind: z.literal("full"), detail: z.string() }),
  z.object({ kind: z.literal("noted") }),
]);
export type StoredReceipt = z.infer<typeof storedReceipt>;

export type Receipt =
  | StoredReceipt
  /** The configuration has changed; nothing is stored. Evaluate the request again under this one. */
  | { kind: "outdated"; config: EndpointConfig }
  /** The inbox knows no configuration or an older one; nothing is stored. `configure` it first. */
  | { kind: "behind" }
  /** The account is suspended; nothing is stored. */
  | { kind: "suspended" };

/** A request that is not started yet. */
export interface WorkItem {
  requestId: string;
  executionId: string;
  origin: "webhook" | "replay";
  /** The configuration that it runs under, by its version. */
  configVersion: number;
  /** The sender's id of its event, if it has one. */
  eventId?: string;
  /** The route that it starts; in older code null or left out for the endpoint's own workflow. */
  route?: string | null;
  /** The span that sent the request, in W3C Trace Context. */
  traceparent?: string;
  work:
    | { kind: "mapped"; inputs: JsonObject }
    /** Its inputs are too long to keep; the consumer maps it again. */
    | { kind: "unmapped"; request: ReceivedRequest }
    /** Gathered by a case; the consumer makes one list of them, and maps the last one. */
    | { kind: "gathered"; requests: ReceivedRequest[] };
}

/** Work of an inbox, as one message of the queue names it. */
export interface WorkBatch {
  configs: EndpointConfig[];
  items: WorkItem[];
  /**
   * Whether more of these requests wait than one call carries (32 MiB at most). Read again after these
   * are acknowledged.
   */
  more: boolean;
  /** Whether reports of their executions are enough to acknowledge them; absent in older code. */
  isReported?: boolean;
}

/** What became of one item of a batch. */
export type Acknowledgement = {
  requestId: string;
  /** Left out, it is the only one of its request. */
  executionId?: string;
} & (
  | {
      /** The account has accepted it. `mappedInputs` is set if the consumer mapped it. */
      kind: "handed";
      mappedInputs?: JsonObject;
      warnings?: string[];
    }
  | { kind: "failed"; errors: StageError[] }
);

/** A session's report to the log of the request that started it. Times are epoch milliseconds. */
const runReport = open({
  requestId: z.uuid(),
  executionId: z.uuid(),
  /** The version of the execution: of two reports the higher is the newer. */
  version: z.int(),
  status: executionStatus,
  startedAt: z.int().nullable(),
  finishedAt: z.int().nullable(),
  error: open({ code: z.string(), message: z.string() }).nullable(),
});
export type RunReport = z.infer<typeof runReport>;

/** A place in the log, which goes from the newest entry to the oldest. */
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
  eventId: string | null;
  eventType: string | null;
  /** At least three characters that the payload contains, in either case. */
  text: string | null;
}

/**
 * Positions in the log from the newest to the oldest, without a gap until `next`. A search that would take
 * too long ends early, so the page may be short although `next` is set.
 */
export interface FoundPage {
  positions: LogPosition[];
  next: LogPosition | null;
}

/**
 * A logged request with all that a replay needs. The entry is as lists show it, with all of its inputs;
 * only `request` has the whole body.
 */
export interface LoggedRequest {
  entry: LogEntry;
  request: ReceivedRequest;
}

/** The shape of the payloads that the inbox accepted. */
export interface LearnedShape {
  /** The number of payloads that it was learned from. */
  learnedFrom: number;
  /** JSON of the profile, as `intake/shape` keeps it; null before the first payload. */
  profile: Json;
  /** The types of the events that were learned, with null for events without a type. */
  eventTypes: (string | null)[];
  /** Entries in the log whose shape differed from the learned one. */
  drifted: number;
}

/**
 * The object of one endpoint: the serial owner of its claims on event ids, its rate, its log and its
 * work. Callers check that the endpoint belongs to the account.
 */
export interface InboxApi extends Copied, SubscriptionsApi {
  /** Accepts one request. Older Workers call it while a deployment spreads. */
  accept(arrival: Arrival): Promise<Receipt>;
  /**
   * Accepts a request, or all items of its batch: stores claims, log entries and work in one transaction.
   * Returns the receipt of each, or a single one that tells why nothing is accepted.
   */
  acceptBatch(arrivals: Arrival[]): Promise<Receipt[]>;
  /** Applies a configuration, unless the current one is as new. */
  configure(config: EndpointConfig): Promise<void>;
  /** Like `configure`, but leaves an inbox that was never used without storage. */
  reconfigure(config: EndpointConfig): Promise<void>;
  /** Applies a configuration with a source. Returns how its subscription is. */
  sourceState(config: EndpointConfig): Promise<SourceState | null>;
  /** Deletes everything of the endpoint. */
  erase(): Promise<void>;
  /** Seals the callback secrets of the configurations with the newest key. */
  reseal(): Promise<Resealed>;
  /** Announces a change of the configuration in D1. The inbox reads it there unless `configure` follows. */
  expectChange(): Promise<void>;

  /** Returns the ones of these requests that are not started yet, in the order of arrival. */
  workBatch(requestIds: string[]): Promise<WorkBatch>;
  acknowledge(acknowledgements: Acknowledgement[]): Promise<void>;
  /** Returns the request of an execution that is not started yet. */
  pending(executionId: string): Promise<WorkBatch>;
  /** Records the report of a session. It overrides an acknowledgement: a start that seemed to fail may have succeeded. */
  report(report: RunReport): Promise<void>;

  /** Returns the events of the log from a place on. */
  events(query: FeedQuery): Promise<FeedPage>;

  /** Waits until the inbox has changed since `seen`, at most `waitMs`. Returns the mark of what it is now. */
  changes(seen: string | null, waitMs: number): Promise<string>;
  /** Returns a page of entries. */
  list(query: LogQuery): Promise<{ entries: LogEntry[]; next: LogPosition | null }>;
  /** Returns the positions of a page, for searches over several endpoints. */
  find(query: LogQuery): Promise<FoundPage>;
  /** Returns the entries of these requests, as lists show them. */
  entries(requestIds: string[]): Promise<LogEntry[]>;
  entry(requestId: string): Promise<LoggedRequest | null>;
  /**
   * Returns the newest requests after a place that have a whole body and a parsed payload; fewer than
   * `limit` if one call cannot carry them. `next` is the place to continue from, or null at the end.
   */
  recent(
    limit: number,
    after: LogPosition | null,
  ): Promise<{ requests: LoggedRequest[]; next: LogPosition | null }>;
  /**
   * Has a call answered by the next event that fulfils its condition. A repeat changes nothing. Returns
   * what is wrong with the condition, as a sentence, or null.
   */
  wait(waiter: Waiter): Promise<string | null>;
  cases(query: CaseQuery): Promise<CasePage>;
  /** Returns the request that claimed this event, by its key, or null. */
  claimOf(eventKey: string): Promise<{ requestId: string; executionId: string | null } | null>;
  queuedCount(): Promise<number>;
  /** Returns since when the oldest accepted request waits for its start (epoch milliseconds), or null. */
  queuedSince(): Promise<number | null>;
  /**
   * Returns held requests after a place in the order of arrival, as many as one call carries, with the number
   * of all. `next` is the place to continue from, or null at the end.
   */
  held(after: number): Promise<{ count: number; requests: ReceivedRequest[]; next: number | null }>;
  /** Releases all held requests under this configuration or a newer one. Returns their number. */
  release(config: EndpointConfig): Promise<number>;
  shape(): Promise<LearnedShape>;
  /** Returns which requests of these ids, or of a page, can be replayed. `seq` is the order of arrival. */
  replayable(
    asked: { requestIds: string[] } | { query: LogQuery },
    includeReplays: boolean,
  ): Promise<{ positions: (LogPosition & { seq: number })[]; next: LogPosition | null }>;
  /**
   * Replays requests in this order, and returns the results of the first ones; the others must wait. A repeat
   * changes nothing.
   */
  replay(items: ReplayItem[], options: ReplayOptions): Promise<ReplayResult[]>;
  /** Counts the requests of a range of time by status, with their latencies. */
  usage(query: UsageRange): Promise<InboxUsage>;
}

/** A request to replay, and the id of the replay; null to say only what would become of it. */
export interface ReplayItem {
  requestId: string;
  replayId: string | null;
}

export interface ReplayOptions {
  revision: "now" | "then";
  /** Whether a request that succeeded is replayed too. */
  repeatSucceeded: boolean;
  /** Whether the query names statuses or ids; else requests that wait, run or are duplicates are skipped. */
  isNamed: boolean;
}

/** What became of a replay, or would, and in a forecast the workflows that it starts. */
export interface ReplayResult extends Omit<ReplayVerdict, "endpointId"> {
  workflowIds: string[];
}

/** A message of the inbound queue: ids only. */
export const inboundMessage = open({
  v: z.literal(1),
  endpointId: z.string(),
  requestIds: listOf(z.uuid()).min(1),
});
export type InboundMessage = z.infer<typeof inboundMessage>;
