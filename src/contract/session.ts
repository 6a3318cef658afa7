import * as z from "zod";
import type { CallbackLog, DeliveryOrder, DeliveryReport } from "./callbacks.ts";
import type { ExecutionEvent } from "./events.ts";
import {
  type ExecutionResult,
  type ExecutionState,
  executionId,
  executionStatus,
  origin,
} from "./execution.ts";
import { jsonObject } from "./json.ts";
import type { ExecutionTask } from "./task.ts";
import { toolReference } from "./tools/names.ts";
import { callbackEvent } from "./trigger.ts";

/**
 * What an execution is started with. It is written by the object that accepted it and never changes;
 * it is stored, so it carries a version.
 */
export const executionSeed = z.object({
  v: z.literal(1),
  executionId,
  accountId: z.string(),
  origin,
  workflowId: z.string().nullable(),
  /** The inbound request that started it, whose log follows it. */
  inbound: z.object({ endpointId: z.string(), requestId: z.uuid() }).nullable().default(null),
  createdAt: z.int().meta({ description: "Epoch milliseconds." }),
  prompt: z.string(),
  inputs: jsonObject.nullable(),
  outputSchema: jsonObject.nullable(),
  model: z.string(),
  tools: z.array(toolReference),
  approvals: z.array(toolReference),
  /** The account's MCP servers that `tools` covers. Seeds from before there were any name none. */
  mcpServers: z.array(z.object({ serverId: z.string(), name: z.string() })).default([]),
  interactive: z.boolean(),
  heldCredits: z.int(),
  /** Whether the hold is what the client wanted to spend at most, or all that the balance had. */
  heldBecause: z.enum(["budget", "balance"]),
  maxSteps: z.int(),
  timeoutSeconds: z.int(),
  inputTimeoutSeconds: z.int(),
  metadata: z.record(z.string(), z.string()),
  callback: z
    .object({
      url: z.string().nullable(),
      sealedSecret: z.string().nullable(),
      events: z.array(callbackEvent),
    })
    .nullable(),
  serviceHosts: z.array(z.string()),
  retentionDays: z.int(),
});
export type ExecutionSeed = z.infer<typeof executionSeed>;

/** The execution is not this account's, or there is none: both look the same from outside. */
export interface Unknown {
  kind: "unknown";
}

export interface MessageCommand {
  text: string | null;
  mode: "next_step" | "interrupt";
  messageId: string | null;
  approval: { callId: string; decision: "approve" | "deny" } | null;
  idempotency: Idempotency | null;
  /** The version that the client saw, from If-Match. */
  ifVersion: number | null;
}

/** A repeat is recognised by the key, and is the same request when the hash of its body is the same. */
export interface Idempotency {
  key: string;
  bodyHash: string;
}

/** The response of POST /trigger/:id/message. */
export const messageAccepted = z
  .object({
    executionId,
    messageId: z.string().describe("The id of the message in the execution's events."),
    status: executionStatus,
    delivery: z.literal("queued").describe("The message is delivered at the next step."),
    position: z.int().describe("The number of undelivered messages, this one included."),
  })
  .meta({ id: "MessageAccepted" });
export type MessageAccepted = z.infer<typeof messageAccepted>;

export type MessageReply =
  | Unknown
  | { kind: "accepted"; replayed: boolean; body: MessageAccepted }
  | { kind: "not_active"; status: ExecutionState["status"] }
  | { kind: "version_mismatch"; version: number }
  | { kind: "key_reused" }
  | { kind: "no_such_call"; pending: string | null }
  | { kind: "inbox_full"; limit: number };

export type StopReply =
  | Unknown
  | {
      kind: "stopped";
      body: Pick<ExecutionState, "executionId" | "status" | "statusDetail" | "version">;
    }
  | { kind: "version_mismatch"; version: number };

export type StatusReply = Unknown | { kind: "found"; state: ExecutionState };
export type TaskReply = Unknown | { kind: "found"; task: ExecutionTask };
export type ResultReply =
  | Unknown
  | { kind: "ready"; result: ExecutionResult }
  | { kind: "not_ready"; status: ExecutionState["status"] };

/** `closed` is true when the log is final and these are its last entries. */
export type EventsReply = Unknown | { kind: "found"; events: ExecutionEvent[]; closed: boolean };
export type FileReply =
  | Unknown
  | { kind: "found"; mediaType: string; filename: string; bytes: Uint8Array };
export type CallbacksReply = Unknown | { kind: "found"; log: CallbackLog };
export type RedeliverReply =
  | Unknown
  | { kind: "queued"; log: CallbackLog }
  | { kind: "not_ready"; status: ExecutionState["status"] }
  | { kind: "no_address" };

/**
 * The object that owns one execution, as others call it. Every call of a client names the client's
 * account; of another account's execution it learns nothing.
 */
export interface SessionApi {
  /** Idempotent: a second start changes nothing. */
  start(seed: ExecutionSeed): Promise<void>;
  status(accountId: string): Promise<StatusReply>;
  /** Answers once the version passes `sinceVersion`, at the latest after `waitSeconds`. */
  waitForStatus(accountId: string, sinceVersion: number, waitSeconds: number): Promise<StatusReply>;
  /** What it was asked to do. */
  task(accountId: string): Promise<TaskReply>;
  /** The result; with `partial` also before the end, as far as it has come. */
  result(accountId: string, query?: { partial: boolean }): Promise<ResultReply>;
  message(accountId: string, command: MessageCommand): Promise<MessageReply>;
  stop(
    accountId: string,
    command: { reason: string | null; ifVersion: number | null },
  ): Promise<StopReply>;
  /** Entries after `after`, at most `limit`; with none yet, waits up to `waitMs` for one. */
  events(
    accountId: string,
    query: { after: number; limit: number; waitMs: number },
  ): Promise<EventsReply>;
  file(accountId: string, outputId: string): Promise<FileReply>;
  callbacks(accountId: string): Promise<CallbacksReply>;
  redeliver(accountId: string, url: string | null): Promise<RedeliverReply>;
  /** What to deliver now, or null when this attempt is over, stale, or under way elsewhere. */
  beginDelivery(deliveryId: string, attempt: number): Promise<DeliveryOrder | null>;
  endDelivery(deliveryId: string, attempt: number, report: DeliveryReport): Promise<void>;
}
