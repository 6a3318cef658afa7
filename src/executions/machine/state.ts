import * as z from "zod";
import { by } from "../../contract/actor.ts";
import { storedDecision } from "../../contract/decisions.ts";
import {
  executionError,
  executionStatus,
  question,
  statusDetail,
  usage,
} from "../../contract/execution.ts";
import { json, jsonObject } from "../../contract/json.ts";
import type { ExecutionSeed } from "../../contract/session.ts";
import { callKind } from "../../contract/tools/call.ts";
import { MIN_MODEL_STEP_PRICE } from "../../contract/tools/names.ts";

/** A call of the current step. `started` is durable before an effect is attempted. */
const pendingCall = z.object({
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
  /** The schema of that input. */
  inputSchema: jsonObject.optional(),
  /** Who approved it, with a comment for the agent, and the input if that person changed it. */
  approved: z
    .object({ by: by.optional(), comment: z.string().optional(), input: json.optional() })
    .optional(),
  state: z.enum(["pending", "started", "answered"]),
  /** When it started last, in epoch milliseconds. */
  startedAt: z.int().optional(),
  /** How it was answered. */
  ok: z.boolean().optional(),
  /** How often the process was lost while it ran. */
  losses: z.int().optional(),
  /** How often in a row the same call failed: in the steps before, and in this one once it is answered. */
  failedInRow: z.int().optional(),
});
export type PendingCall = z.infer<typeof pendingCall>;

const phase = z.discriminatedUnion("kind", [
  /** The model is to be asked for the next step. */
  z.object({ kind: z.literal("model") }),
  /** The calls of the last reply are to be run, in order. */
  z.object({ kind: z.literal("tools"), calls: z.array(pendingCall) }),
  /** The user is to answer call `callId`, or to approve it or the start; `calls` go on afterwards. */
  z.object({ kind: z.literal("waiting"), callId: z.string(), calls: z.array(pendingCall) }),
  z.object({ kind: z.literal("ended") }),
]);

/**
 * How often a call or a model step starts if the process is lost each time: a step that kills the
 * process, such as a page that takes all memory, would do so for ever. From the third start on it waits
 * before (see `recover`) and starts alone of its kind, so that one that only runs beside it, or while the
 * process dies of something else, is seldom lost as often.
 */
export const MAX_STARTS = 8;

const inboxEntry = z.object({
  messageId: z.string(),
  text: z.string(),
  /** JSON of an event that the execution receives: data from outside. */
  event: z.string().optional(),
  /** Where the event was cut. */
  cut: z.string().optional(),
});

/**
 * The state that decides what an execution does next. It is stored with every transition and parsed by
 * this schema when newer code reads it.
 */
export const machineState = z.object({
  v: z.literal(1),
  status: executionStatus,
  statusDetail,
  /** Raised by every transition. */
  version: z.int(),
  /** Raised when the current step is abandoned: results of an older generation are dropped. */
  generation: z.int(),
  phase,
  inbox: z.array(inboxEntry),
  question: question.nullable(),
  /** The newest decision of a person, open or not. Absent in states stored by older code. */
  decision: storedDecision.nullable().default(null),
  /** The decisions whose newest form the account may not have. Absent in states stored by older code. */
  unreported: z.array(storedDecision).default([]),
  /** The last call that was denied; `by` is null if nobody answered. Absent in states stored by older code. */
  denied: z
    .object({ tool: z.string(), by: z.string().nullable(), comment: z.string().optional() })
    .nullable()
    .default(null),
  /** Whether a person approved the start, where a limit asks for that. Absent in states stored by older code. */
  startApproved: z.boolean().default(false),
  /** When the wait for an event ends; null while it waits for none. Absent in states stored by older code. */
  waitUntil: z.int().nullable().default(null),
  error: executionError.nullable(),
  summary: z.string().nullable(),
  data: json.optional(),
  /** Whether a part of the summary or the data is missing. Absent in states stored by older code. */
  truncated: z.boolean().default(false),
  message: z.string(),
  /**
   * The last step whose start is in the log: a step repeats its model call after an interruption or a
   * loss, but starts once. Absent in states stored by older code.
   */
  stepsStarted: z.int().default(0),
  stepsCompleted: z.int(),
  /** The figures at the start of the current step. Absent in states stored by older code. */
  stepStart: z.object({ activeMs: z.int(), credits: z.int(), usage }).nullable().default(null),
  /**
   * How often the model call of the current step started without a result; more than once only if the
   * process was lost with it. Absent in states stored by older code.
   */
  asked: z.int().default(0),
  /** The model that is asked, by its name; null before the first call, and in states stored by older code. */
  model: z.string().nullable().default(null),
  creditsUsed: z.int(),
  /** The price of the last model step, by which the next is estimated. Absent in states stored by older code. */
  stepPrice: z.int().default(MIN_MODEL_STEP_PRICE),
  usage,
  /** Failed attempts of the current step, and when the next one is due. */
  failures: z.int(),
  retryAt: z.int().nullable(),
  /** Results returned to the model because they did not match the output schema. */
  repairs: z.int(),
  /** The number of outputs. Absent in states stored by older code. */
  outputs: z.int().default(0),
  /** The bytes of their values. Absent in states stored by older code. */
  outputBytes: z.int().default(0),
  /** Active milliseconds before `activeSince`; waiting does not count. */
  activeMs: z.int(),
  activeSince: z.int().nullable(),
  createdAt: z.int(),
  startedAt: z.int().nullable(),
  updatedAt: z.int(),
  finishedAt: z.int().nullable(),
});
export type MachineState = z.infer<typeof machineState>;

/**
 * Returns the state of an execution whose session starts at `now`, epoch milliseconds. The wait before
 * that does not count as activity: it may have been accepted while nothing could start.
 */
export function initialState(
  { createdAt }: Pick<ExecutionSeed, "createdAt">,
  now: number,
): MachineState {
  return machineState.parse({
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
    stepsCompleted: 0,
    creditsUsed: 0,
    usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0, modelSteps: 0, toolCalls: 0 },
    failures: 0,
    retryAt: null,
    repairs: 0,
    activeMs: 0,
    activeSince: now,
    createdAt,
    startedAt: null,
    updatedAt: createdAt,
    finishedAt: null,
  } satisfies z.input<typeof machineState>);
}

/** Returns a copy that a change may edit: its calls, inbox and usage. All else of a state is replaced as a whole. */
export function editableCopy(state: MachineState): MachineState {
  const { phase } = state;
  const isOpen = phase.kind === "tools" || phase.kind === "waiting";
  return {
    ...state,
    phase: isOpen ? { ...phase, calls: phase.calls.map((call) => ({ ...call })) } : phase,
    inbox: [...state.inbox],
    usage: { ...state.usage },
  };
}

/** Returns how often the process was lost with what is to run next. */
export function lossesOf({ phase, asked }: MachineState): number {
  if (phase.kind === "model") return asked;
  if (phase.kind !== "tools") return 0;
  const open = phase.calls.filter(({ state }) => state !== "answered");
  return Math.max(0, ...open.map(({ losses = 0 }) => losses));
}

/** Returns the active time until `now`, in milliseconds, without the time spent waiting for input. */
export function activeMsAt(state: MachineState, now: number): number {
  return state.activeMs + (state.activeSince === null ? 0 : Math.max(0, now - state.activeSince));
}

/** Returns when the time limit is reached, or null while the execution waits. */
export function deadlineOf(state: MachineState, timeoutSeconds: number): number | null {
  if (state.activeSince === null) return null;
  return state.activeSince + timeoutSeconds * 1_000 - state.activeMs;
}
