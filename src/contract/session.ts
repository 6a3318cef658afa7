import * as z from "zod";
import type { Resealed } from "../lib/resealer.ts";
import type { Copied } from "./backup.ts";
import type { Attempted, CallbackLog, DeliveryOrder, DeliveryReport } from "./callbacks.ts";
import {
  type Answerer,
  type DecideBody,
  type DecisionRecord,
  decisionRules,
  NO_RULES,
} from "./decisions.ts";
import type { ExecutionEvent } from "./events.ts";
import {
  type ExecutionResult,
  type ExecutionState,
  executionId,
  executionStatus,
  forkOf,
  inboundCause,
  origin,
} from "./execution.ts";
import { listOf, oneOf, open } from "./fields.ts";
import { storedFile } from "./files.ts";
import { type Json, type JsonObject, jsonObject } from "./json.ts";
import { chosenModel } from "./models.ts";
import { limitOf } from "./operators.ts";
import type { Violation } from "./problem.ts";
import type { ExecutionStep, ExecutionTask } from "./task.ts";
import { toolReference } from "./tools/names.ts";
import { callbackEvent } from "./trigger.ts";

/**
 * The input of an execution. The object that accepts it writes it, and it never changes. It is stored,
 * so it carries a version.
 */
export const executionSeed = open({
  /** 2 if it has a field without which it must not start: code that does not know the field refuses it. */
  v: z.literal([1, 2]),
  executionId,
  accountId: z.string(),
  origin,
  workflowId: z.string().nullable(),
  /** The revision of the workflow. Seeds of earlier versions lack it. */
  revision: z.int().nullable().default(null),
  /** The inbound request that started it; its log entry tracks the execution. */
  inbound: inboundCause,
  createdAt: z.int().describe("Epoch milliseconds."),
  prompt: z.string(),
  inputs: jsonObject.nullable(),
  /** The files of the request. */
  files: listOf(storedFile).exactOptional(),
  outputSchema: jsonObject.nullable(),
  /** The model that is asked first. */
  model: z.string(),
  /** The models to ask after it. Seeds of earlier versions lack it. */
  fallbacks: listOf(z.string()).default([]),
  /**
   * What was known of these models when it started, in their order. Added by its session, or by the account
   * if one is of its own providers.
   */
  chosen: listOf(chosenModel).exactOptional(),
  /** The limits of its workflow and its endpoint that it keeps. */
  limits: listOf(limitOf).exactOptional(),
  /** Why it must not start: a limit that fails was reached. */
  limitReached: z.string().exactOptional(),
  /** Why a person must approve its start: a limit that asks was reached. */
  limitToApprove: z.string().exactOptional(),
  /** The account's own providers that have these models. */
  providers: listOf(open({ providerId: z.string(), name: z.string() })).exactOptional(),
  tools: listOf(toolReference),
  approvals: listOf(toolReference),
  /** The account's MCP servers that `tools` covers. Seeds of earlier versions lack it. */
  mcpServers: listOf(open({ serverId: z.string(), name: z.string() })).default([]),
  /** The only hosts that tools may reach; null for all. */
  allowedHosts: listOf(z.string()).nullable().default(null),
  /** The account's connections that tools may use. */
  connections: listOf(open({ connectionId: z.string(), name: z.string() })).default([]),
  /** Whom the account may write to; null for what the deployment allows. */
  emailRecipients: listOf(z.string()).nullable().default(null),
  googleSheets: listOf(z.string()).nullable().default(null),
  interactive: z.boolean(),
  heldCredits: z.int(),
  /** Whether the client's limit or the account's balance determined the hold. */
  heldBecause: oneOf("budget", "balance"),
  /** The most that its tokens may cost in USD. */
  maxCostUsd: z.number().exactOptional(),
  maxSteps: z.int(),
  timeoutSeconds: z.int(),
  inputTimeoutSeconds: z.int(),
  /** Who is told of its decisions, and what happens without an answer. Seeds of earlier versions lack it. */
  decisions: decisionRules.default(NO_RULES),
  metadata: z.record(z.string(), z.string()),
  callback: open({
    url: z.string().nullable(),
    sealedSecret: z.string().nullable(),
    events: listOf(callbackEvent),
  }).nullable(),
  serviceHosts: listOf(z.string()),
  retentionDays: z.int(),
  /** The binding of the database that has its row, if that is not the one of the control rows. */
  rowDatabase: z.string().exactOptional(),
  /** The key that started it. Absent without one, and in seeds of earlier versions. */
  keyId: z.string().exactOptional(),
  /** The span that started it, in W3C Trace Context. */
  traceparent: z.string().exactOptional(),
  /** The execution of its host whose work it rehearses, and where what it reads comes from. */
  rehearsal: open({ of: executionId, reads: oneOf("recorded", "live") }).exactOptional(),
  /** What it takes over from another execution of its host, in place of a beginning of its own. */
  fork: forkOf
    .extend({
      /** Up to the step, with the messages that followed it, or with the answers of a step that was not finished. */
      takes: oneOf("step", "messages", "partial"),
      /** The first execution of the lineage, under which providers know the conversation. */
      root: executionId,
      message: z.string().nullable(),
    })
    .exactOptional(),
});
export type ExecutionSeed = z.infer<typeof executionSeed>;

/** A seed that its session may not have yet. `isHeld` says that it waits for its place among the active ones. */
export type PendingSeed = ExecutionSeed & { isHeld?: boolean };

/** The account has no such execution. */
export interface Unknown {
  kind: "unknown";
}
/** What an execution has, or that there is none. */
type Found<Reply> = Unknown | ({ kind: "found" } & Reply);

export interface MessageCommand {
  text: string | null;
  /** An event that the execution receives: data, never instructions. */
  event?: Json;
  /** The call of `wait_for_event` that the event answers; without an event, it fails: its endpoint is deleted. */
  answers?: string;
  mode: "next_step" | "interrupt";
  messageId: string | null;
  approval: {
    callId: string;
    decision: "approve" | "deny";
    /** The whole input of the call, if it is changed. */
    input?: Json | undefined;
    comment?: string | undefined;
  } | null;
  /** The decision that it answers. */
  decisionId?: string | undefined;
  /** Who answers, if a person is asked. Older code does not say. */
  answerer?: Answerer;
  idempotency: Idempotency | null;
  /** The version in the client's If-Match header. */
  ifVersion: number | null;
}

/** The key that identifies a repeated request, whose body must have the same hash. */
export interface Idempotency {
  key: string;
  bodyHash: string;
}

/** The response of POST /trigger/:id/message. */
export const messageAccepted = open({
  executionId,
  messageId: z.string().describe("The id of the message in the execution's events."),
  status: executionStatus,
  delivery: z.literal("queued").describe("The message is delivered at the next step."),
  position: z.int().describe("The number of undelivered messages, this one included."),
}).meta({ id: "MessageAccepted" });
export type MessageAccepted = z.infer<typeof messageAccepted>;

export type MessageReply =
  | Unknown
  | { kind: "accepted"; replayed: boolean; body: MessageAccepted }
  | { kind: "not_active"; status: ExecutionState["status"] }
  | { kind: "version_mismatch"; version: number }
  | { kind: "key_reused" }
  | { kind: "no_such_call"; pending: string | null }
  | { kind: "decided"; decision: DecisionRecord }
  | { kind: "invalid_input"; violations: Violation[] }
  | { kind: "inbox_full"; limit: number };

/** `closed`: it has been answered, or is no longer open; its record is null if a newer one is open. */
export type DecideReply =
  | Unknown
  | { kind: "answered"; decision: DecisionRecord }
  | { kind: "closed"; decision: DecisionRecord | null }
  | { kind: "other_kind"; asked: DecisionRecord["kind"] }
  | Extract<MessageReply, { kind: "invalid_input" | "inbox_full" }>;

/** A request to stop an execution, of the user if there is no `detail`. */
export interface StopCommand {
  reason: string | null;
  /** The version in the client's If-Match header. */
  ifVersion: number | null;
  detail?: "superseded";
}

export type StopReply =
  | Unknown
  | {
      kind: "stopped";
      body: Pick<ExecutionState, "executionId" | "status" | "statusDetail" | "version">;
    }
  | { kind: "version_mismatch"; version: number };

export type StatusReply = Found<{ state: ExecutionState }>;
export type TaskReply = Found<{ task: ExecutionTask }>;
export type ResultReply =
  | Unknown
  | { kind: "ready"; result: ExecutionResult }
  | { kind: "not_ready"; status: ExecutionState["status"] };

/** `closed` is true if the log is complete and these are its last entries. */
export type EventsReply = Found<{ events: ExecutionEvent[]; closed: boolean }>;
/** An event stream as bytes; `over` if no event follows. */
type FollowReply = Found<{ stream: ReadableStream<Uint8Array> }> | { kind: "over" };
export type StepReply = Found<{ step: ExecutionStep }>;
export type TraceReply = Found<{ request: JsonObject }>;
export type FileReply = Found<{ mediaType: string; filename: string; bytes: Uint8Array }>;
/** Where an execution is to be continued. */
export interface ForkQuery {
  /** After this step; null for the end of a completed one, or before the step that failed. */
  afterStep: number | null;
  acknowledgeUncertain: boolean;
  /**
   * A retry: only of what has no fork yet and repeats no effect. `forkId` names the one that it gets, null to
   * ask only. A repeat changes nothing.
   */
  retry?: { forkId: string | null };
}
export type ForkPoint = Pick<NonNullable<ExecutionSeed["fork"]>, "afterStep" | "takes">;
/** `continued`: it has a fork already. `refused` says why it cannot be continued there. */
export type ForkReply =
  | Unknown
  | { kind: "ready"; seed: ExecutionSeed; point: ForkPoint; isCompleted: boolean }
  | { kind: "continued"; by: string }
  | { kind: "refused"; detail: string; field?: "afterStep" };

/** The calls of an execution in their order; `isEffect` if it is in the ledger. */
export type CallsReply = Found<{ calls: { tool: string; input: Json; isEffect: boolean }[] }>;

export type RedeliverReply =
  | Unknown
  | { kind: "queued"; log: CallbackLog }
  | { kind: "not_ready"; status: ExecutionState["status"] }
  | { kind: "no_address" };

/** The interface of the object that hosts executions of one account. */
export interface SessionHostApi extends Copied {
  /**
   * Starts executions. A second start changes nothing. Returns how many of them have started, the first ones;
   * older code starts only the first, and returns nothing. Throws if the first cannot be started.
   */
  start(seed: ExecutionSeed, others?: ExecutionSeed[]): Promise<number | undefined>;
  /** Starts an execution and stops it before its first step, or one that has started. */
  startStopped(seed: ExecutionSeed, reason: string | null): Promise<void>;
  /** Deletes all executions that it hosts, whatever they are doing. */
  erase(): Promise<void>;
  /** Seals the callback secrets of these executions with the newest key. */
  reseal(executionIds: string[]): Promise<Resealed>;
  /** Sees to it that these executions are woken when they are due. Returns the ids of unknown ones. */
  lookAfter(executionIds: string[]): Promise<string[]>;
  status(executionId: string): Promise<StatusReply>;
  /** Returns the status once its version exceeds `sinceVersion`, or after `waitSeconds`. */
  waitForStatus(
    executionId: string,
    sinceVersion: number,
    waitSeconds: number,
  ): Promise<StatusReply>;
  /** Returns its task. */
  task(executionId: string): Promise<TaskReply>;
  /** Returns the result; with `partial` also before the end. */
  result(executionId: string, query?: { partial: boolean }): Promise<ResultReply>;
  message(executionId: string, command: MessageCommand): Promise<MessageReply>;
  /** Returns the newest decision of an execution, if it is this one. */
  decision(executionId: string, decisionId: string): Promise<DecisionRecord | null>;
  /** Answers a decision of an execution. */
  decide(
    executionId: string,
    decisionId: string,
    answer: DecideBody,
    answerer: Answerer,
  ): Promise<DecideReply>;
  stop(executionId: string, command: StopCommand): Promise<StopReply>;
  /** Returns the calls of an execution, secrets redacted by their names. */
  calls(executionId: string): Promise<CallsReply>;
  /** Returns what a fork of the execution starts from. */
  fork(executionId: string, query: ForkQuery): Promise<ForkReply>;
  /** Returns at most `limit` entries after `after`. */
  events(executionId: string, query: { after: number; limit: number }): Promise<EventsReply>;
  /** Opens a stream of server-sent events after the event `after`, with the text that the model writes. */
  follow(executionId: string, after: number): Promise<FollowReply>;
  /** Returns a step of the model, from 1. */
  step(executionId: string, step: number): Promise<StepReply>;
  /** Returns the trace of an execution that has ended as a request of OTLP. */
  otlpTrace(executionId: string, options: { content: boolean }): Promise<TraceReply>;
  file(executionId: string, outputId: string): Promise<FileReply>;
  callbacks(executionId: string): Promise<Found<{ log: CallbackLog }>>;
  /** Returns since when the callback is due that waits longest, in epoch milliseconds, or null. */
  callbacksSince(): Promise<number | null>;
  redeliver(executionId: string, url: string | null): Promise<RedeliverReply>;
  /** Returns the delivery to attempt now, or null if this attempt is over, stale, or running elsewhere. */
  beginDelivery(executionId: string, ...of: Attempted): Promise<DeliveryOrder | null>;
  endDelivery(executionId: string, ...of: [...Attempted, report: DeliveryReport]): Promise<void>;
}
