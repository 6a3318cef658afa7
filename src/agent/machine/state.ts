import * as z from "zod";
import {
  executionError,
  executionStatus,
  question,
  statusDetail,
  usage,
} from "../../contract/execution.ts";
import { json } from "../../contract/json.ts";
import type { ExecutionSeed } from "../../contract/session.ts";

/**
 * How a call is run. Reads of the outside run side by side; `local` calls may build on the calls
 * before them, so they keep their order; an `effect` changes the outside and is ledgered; `control`
 * calls are decided by the machine itself.
 */
export const callKind = z.enum(["read", "local", "effect", "control"]);
export type CallKind = z.infer<typeof callKind>;

/** A call of the step under way. `started` is durable before an effect is tried. */
export const pendingCall = z.object({
  callId: z.string(),
  tool: z.string(),
  kind: callKind,
  /** Credits, charged when the answer is stored. */
  price: z.int(),
  /** What an effect changes, for the ledger and the approval. */
  target: z.string(),
  /** What the call does, for the progress line. */
  description: z.string(),
  needsApproval: z.boolean(),
  /** Shown to whoever approves the call; kept only for calls that need it. */
  input: json.optional(),
  state: z.enum(["pending", "started", "answered"]),
  /** How it was answered. */
  ok: z.boolean().optional(),
  /** How often the process was lost while it ran. */
  losses: z.int().optional(),
});
export type PendingCall = z.infer<typeof pendingCall>;

export const phase = z.discriminatedUnion("kind", [
  /** The model is to be asked for the next step. */
  z.object({ kind: z.literal("model") }),
  /** The calls of the last reply are to be run, in order. */
  z.object({ kind: z.literal("tools"), calls: z.array(pendingCall) }),
  /** The user is to answer call `callId`, or to approve it; `calls` go on afterwards. */
  z.object({ kind: z.literal("waiting"), callId: z.string(), calls: z.array(pendingCall) }),
  z.object({ kind: z.literal("ended") }),
]);

/**
 * Times that one and the same thing, a call or the model's turn, is begun whose process was lost. What
 * ends the process by itself, as a page that takes all of its memory, would do so for ever, and the
 * platform gives an alarm up after six tries.
 */
export const MAX_STARTS = 4;

const inboxEntry = z.object({ messageId: z.string(), text: z.string() });

/**
 * All that decides what an execution does next. It is stored whole with every transition, and parsed
 * by this schema when it is read again, perhaps by newer code.
 */
export const machineState = z.object({
  v: z.literal(1),
  status: executionStatus,
  statusDetail,
  /** Raised by every transition. */
  version: z.int(),
  /** Raised when the step under way is given up: what comes back under an older one is dropped. */
  generation: z.int(),
  phase,
  inbox: z.array(inboxEntry),
  question: question.nullable(),
  error: executionError.nullable(),
  summary: z.string().nullable(),
  data: json.optional(),
  message: z.string(),
  /**
   * The last step whose beginning is in the log: a step that was interrupted or lost while the model
   * was asked is asked for again, and begins once. Absent in states that older code stored.
   */
  stepsStarted: z.int().default(0),
  stepsCompleted: z.int(),
  /**
   * How often the model was begun to be asked for the step under way without anything coming back: more
   * than once only where the process was lost with it. Absent in states that older code stored.
   */
  asked: z.int().default(0),
  creditsUsed: z.int(),
  usage,
  /** Failed tries of the step under way, and when the next one is due. */
  failures: z.int(),
  retryAt: z.int().nullable(),
  /** Results handed back to the model because they did not match the output schema. */
  repairs: z.int(),
  /** Milliseconds of activity before `activeSince`; waiting does not count. */
  activeMs: z.int(),
  activeSince: z.int().nullable(),
  createdAt: z.int(),
  startedAt: z.int().nullable(),
  updatedAt: z.int(),
  finishedAt: z.int().nullable(),
});
export type MachineState = z.infer<typeof machineState>;

/**
 * The state of an execution whose session begins at `now`, epoch milliseconds. How long it waited for
 * that does not count as activity: it may have been promised while nothing could start.
 */
export function initialState(seed: ExecutionSeed, now: number): MachineState {
  return {
    v: 1,
    status: "active",
    statusDetail: "queued",
    version: 1,
    generation: 0,
    phase: { kind: "model" },
    inbox: [],
    question: null,
    error: null,
    summary: null,
    message: "Waiting to start",
    stepsStarted: 0,
    stepsCompleted: 0,
    asked: 0,
    creditsUsed: 0,
    usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0, modelSteps: 0, toolCalls: 0 },
    failures: 0,
    retryAt: null,
    repairs: 0,
    activeMs: 0,
    activeSince: now,
    createdAt: seed.createdAt,
    startedAt: null,
    updatedAt: seed.createdAt,
    finishedAt: null,
  };
}

/** When the time for activity is used up, or null while the execution waits. */
export function deadlineOf(state: MachineState, timeoutSeconds: number): number | null {
  if (state.activeSince === null) return null;
  return state.activeSince + timeoutSeconds * 1_000 - state.activeMs;
}
