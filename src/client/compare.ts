import type { ExecutionEvent } from "../contract/events.ts";
import type { ExecutionResult } from "../contract/execution.ts";
import type { Json } from "../contract/json.ts";
import { canonicalJson } from "../lib/json-values.ts";
import type { Executions } from "./executions.ts";
import type { CallOptions } from "./transport.ts";

const EVENTS_AT_ONCE = 1_000;

/** A tool call with what it returned; null as long as it has not. */
export interface ComparedCall {
  tool: string;
  input: Json;
  ok: boolean | null;
  result: Json;
}

/** What a step took. */
export interface ComparedStep {
  credits: number;
  durationMs: number;
}

/** A step with its calls, in their order. */
type Step = { took: ComparedStep; calls: ComparedCall[] };

/** Two of a kind, of which one may be missing. */
export interface Pair<One> {
  same: boolean;
  before: One | null;
  after: One | null;
}

/** One of the two executions, as a whole. */
type ComparedExecution = ReturnType<typeof summaryOf>;

export interface Comparison {
  executions: [before: ComparedExecution, after: ComparedExecution];
  /** By number, from 1; the same if both made the same calls, which returned the same. */
  steps: (Pair<ComparedStep> & { step: number; calls: Pair<ComparedCall>[] })[];
  /** The outputs by label. */
  outputs: { label: string; change: "same" | "changed" | "added" | "removed" }[];
  /** Whether both have the same `presentedResult.data`. */
  sameData: boolean;
}

/** An execution's log and its result so far. */
interface Recorded {
  result: ExecutionResult;
  events: readonly ExecutionEvent[];
}

/** Reads two executions of the account, and compares them step by step. */
export async function compare(
  executions: Executions,
  [before, after]: readonly [string, string],
  options: CallOptions = {},
): Promise<Comparison> {
  const read = (id: string) => recorded(executions, id, options);
  return comparisonOf(...(await Promise.all([read(before), read(after)])));
}

async function recorded(executions: Executions, executionId: string, options: CallOptions) {
  const result = await executions.result(executionId, { partial: true }, options);
  const events: ExecutionEvent[] = [];
  for (let after = 0; ; ) {
    const page = await executions.events(executionId, { after, limit: EVENTS_AT_ONCE }, options);
    events.push(...page.events);
    if (page.events.length < EVENTS_AT_ONCE) return { result, events };
    after = page.nextAfter;
  }
}

/** Compares what two executions did. Times and prices make no difference. */
export function comparisonOf(before: Recorded, after: Recorded): Comparison {
  const [one, other] = [stepsOf(before.events), stepsOf(after.events)];
  takeOver(one, before.result, { from: other, of: after.result });
  takeOver(other, after.result, { from: one, of: before.result });
  const numbers = [...new Set([...one.keys(), ...other.keys()])].sort((a, b) => a - b);
  return {
    executions: [summaryOf(before.result, one.size), summaryOf(after.result, other.size)],
    steps: numbers.map((step) => {
      const [before, after] = [one.get(step), other.get(step)];
      const calls = callPairs(before?.calls, after?.calls);
      const isBoth = before !== undefined && after !== undefined;
      const same = isBoth && calls.every((pair) => pair.same);
      return { step, same, before: before?.took ?? null, after: after?.took ?? null, calls };
    }),
    outputs: outputChanges(before.result, after.result),
    sameData: isSame(before.result.presentedResult.data, after.result.presentedResult.data),
  };
}

/** Pairs the calls of a step by their places. */
function callPairs(before: readonly ComparedCall[] = [], after: readonly ComparedCall[] = []) {
  return Array.from({ length: Math.max(before.length, after.length) }, (_, at) => {
    const pair = { before: before[at] ?? null, after: after[at] ?? null };
    return { same: isSame(pair.before, pair.after), ...pair };
  });
}

/** Completes the steps of an execution that continues the other one: its log begins after them. */
function takeOver(
  steps: Map<number, Step>,
  { forkOf }: ExecutionResult,
  { from, of }: { from: Map<number, Step>; of: ExecutionResult },
): void {
  if (forkOf === undefined || forkOf.executionId !== of.executionId) return;
  for (const [number, step] of from) if (number <= forkOf.afterStep) steps.set(number, step);
}

function summaryOf(result: ExecutionResult, steps: number) {
  const { executionId, status, model, creditsConsumed, createdAt, finishedAt } = result;
  return {
    executionId,
    status,
    model,
    summary: result.presentedResult.summary,
    steps,
    credits: creditsConsumed,
    // From its acceptance to its end.
    durationMs: finishedAt === null ? null : Date.parse(finishedAt) - Date.parse(createdAt),
  };
}

/** Returns the steps of a log by their numbers. A call that a crash interrupted counts once. */
function stepsOf(events: readonly ExecutionEvent[]): Map<number, Step> {
  const steps = new Map<number, Step>();
  const calls = new Map<string, ComparedCall>();
  const begun = (): Step => ({ took: { credits: 0, durationMs: 0 }, calls: [] });
  let step = begun();
  for (const { type, data } of events) {
    if (type === "step.started") {
      step = steps.get(data.step) ?? begun();
      steps.set(data.step, step);
    }
    if (type === "step.finished")
      step.took = { credits: data.credits ?? 0, durationMs: data.durationMs ?? 0 };
    if (type !== "tool.started" && type !== "tool.finished") continue;
    const { tool = "" } = data;
    const input = type === "tool.started" ? (data.input ?? null) : null;
    const call = calls.get(data.callId) ?? { tool, input, ok: null, result: null };
    if (!calls.has(data.callId)) step.calls.push(call);
    calls.set(data.callId, call);
    if (type === "tool.started") continue;
    call.ok = data.ok;
    call.result = data.result ?? data.error ?? null;
  }
  return steps;
}

function outputChanges(before: ExecutionResult, after: ExecutionResult): Comparison["outputs"] {
  const labels = new Set([...before.outputs, ...after.outputs].map(({ label }) => label));
  return [...labels].map((label) => {
    const [one, other] = [shownAs(label, before), shownAs(label, after)];
    if (one.length === 0) return { label, change: "added" };
    if (other.length === 0) return { label, change: "removed" };
    return { label, change: isSame(one, other) ? "same" : "changed" };
  });
}

/** Returns the outputs of a label without what is new in each execution: their ids, their times and the addresses of files. */
const shownAs = (label: string, { outputs }: ExecutionResult) =>
  outputs
    .filter((output) => output.label === label)
    .map((output) => {
      if (output.type === "link") return { type: output.type, url: output.url };
      if (output.type !== "file") return { type: output.type, value: output.value };
      return { type: output.type, filename: output.filename, sizeBytes: output.sizeBytes };
    });

const isSame = (before: unknown = null, after: unknown = null): boolean =>
  canonicalJson(JSON.parse(JSON.stringify(before))) ===
  canonicalJson(JSON.parse(JSON.stringify(after)));
