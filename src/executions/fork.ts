import { storedBytes } from "../agent/tools/text.ts";
import type { ToolCall } from "../contract/conversation.ts";
import { FINAL_STATUSES } from "../contract/execution.ts";
import { fileCallId } from "../contract/files.ts";
import type { ExecutionSeed, ForkPoint, ForkQuery, ForkReply } from "../contract/session.ts";
import { failedAnswer, type ToolAnswer } from "../contract/tools/call.ts";
import { mcpServerOf } from "../contract/tools/names.ts";
import { fromBase64 } from "../lib/encoding.ts";
import { counted } from "../lib/text.ts";
import { textOfFile } from "./documents.ts";
import type { StoredFact } from "./journal/facts.ts";
import type { Journal } from "./journal/journal.ts";
import type { Continuation } from "./machine/lifecycle.ts";
import type { MachineState } from "./machine/state.ts";

type ForkSeed = ExecutionSeed & Required<Pick<ExecutionSeed, "fork">>;
type EffectState = Extract<StoredFact, { kind: "effect" }>["state"];

/** What decides where an execution can be continued. */
interface Course {
  /** The states of the effects that were begun in each step, by call. */
  effects: Map<string, { step: number; state: EffectState }>;
  /** The calls of the last reply that have no answer. */
  open: ToolCall[];
}

/** Decides where an execution is continued, or says why it cannot be. Reads only. */
export function forkPoint(
  journal: Journal,
  state: MachineState,
  { afterStep: asked, acknowledgeUncertain, retry }: ForkQuery,
): ForkPoint | Extract<ForkReply, { kind: "refused" }> {
  const refuse = (detail: string) => ({ kind: "refused" as const, detail });
  if (asked === null && state.finishedAt === null)
    return refuse(`The execution is ${state.status}. Send \`afterStep\`, or wait for its end.`);
  if (asked !== null && asked > state.stepsCompleted) {
    const detail = `must be at most ${state.stepsCompleted}, the number of completed steps`;
    return { ...refuse(detail), field: "afterStep" };
  }
  const course = courseOf(journal);
  if (course === null)
    return refuse("An older version of the service did not keep its conversation.");
  const point: ForkPoint =
    asked === null ? pointAtEnd(state, course) : { afterStep: asked, takes: "step" };
  const repeated = [...course.effects.values()].filter(
    (effect) => effect.step > point.afterStep && effect.state !== "failed",
  );
  if (retry !== undefined && repeated.length > 0) {
    const effects = counted(repeated.length, "effect");
    return refuse(`It has ${effects} that would be repeated. Retry it from its failure.`);
  }
  const uncertain = [...course.effects.values()].filter(
    (effect) => effect.step <= point.afterStep && effect.state === "uncertain",
  );
  if (uncertain.length === 0 || acknowledgeUncertain) return point;
  const effects = counted(uncertain.length, "effect");
  return refuse(
    `${effects} before that step may or may not have happened. Check, then send \`acknowledgeUncertain: true\`.`,
  );
}

function courseOf(journal: Journal): Course | null {
  const course: Course = { effects: new Map(), open: [] };
  let step = 1;
  for (const { entry } of journal.entries()) {
    for (const fact of entry.facts) {
      if (fact?.kind === "dropped") return null;
      if (fact?.kind === "effect") course.effects.set(fact.callId, { step, state: fact.state });
      if (isStepEnd(fact)) step += 1;
      course.open = openAfter(fact, course.open);
    }
  }
  return course;
}

/** Returns the calls without an answer after a fact. */
function openAfter(fact: StoredFact | null, open: ToolCall[]): ToolCall[] {
  if (fact?.kind !== "turn") return open;
  const { turn } = fact;
  if (turn.role === "assistant") return turn.calls;
  return turn.role === "tool" ? open.filter(({ callId }) => callId !== turn.callId) : open;
}

/**
 * After the end of a completed execution. For others before the step that failed; or within it, if it changed
 * something outside: asked again, the model would do that again.
 */
function pointAtEnd(state: MachineState, { effects, open }: Course): ForkPoint {
  const { status, stepsCompleted, stepsStarted } = state;
  const isUnderWay = stepsStarted > stepsCompleted;
  const endedItself = open.some(({ tool }) => tool === "finish");
  if (status === "completed" || (!isUnderWay && !endedItself))
    return { afterStep: stepsCompleted, takes: "messages" };
  const failing = isUnderWay ? stepsStarted : stepsCompleted;
  const hasChanged = [...effects.values()].some(
    (effect) => effect.step === failing && effect.state !== "failed",
  );
  if (!hasChanged) return { afterStep: failing - 1, takes: "messages" };
  return { afterStep: failing, takes: isUnderWay ? "partial" : "messages" };
}

/** The state with which a fork starts. Its earlier steps are neither charged nor counted again. */
interface TakenOver extends Continuation {
  entries: number;
  events: number;
  state: Pick<
    MachineState,
    "version" | "stepsStarted" | "stepsCompleted" | "outputs" | "outputBytes"
  >;
}

/**
 * Copies the beginning of an execution into the journal of its fork. The ledger of effects is left out: they
 * are those of the original. Called within the transaction that stores the fork; returns null if the
 * original is gone.
 */
export function takeOver(seed: ForkSeed, to: Journal): TakenOver | null {
  const from = to.other(seed.fork.executionId);
  const original = from.seed();
  if (original === null) return null;
  const { afterStep: stepsStarted, takes } = seed.fork;
  const stepsCompleted = takes === "partial" ? stepsStarted - 1 : stepsStarted;
  const state = { version: 1, stepsStarted, stepsCompleted, outputs: 0, outputBytes: 0 };
  const taken = { entries: 0, events: 0 };
  const cut = new Cut(seed, original);
  for (const { entry } of from.entries()) {
    const facts = entry.facts.flatMap((fact) => cut.take(fact) ?? []);
    if (facts.length === 0) continue;
    taken.events += facts.filter(({ kind }) => kind === "event").length;
    to.append({ seq: taken.entries, events: taken.events }, { ...entry, facts });
    taken.entries += 1;
    state.version = entry.version;
    for (const fact of facts) {
      if (fact.kind !== "output") continue;
      const { output, callId } = fact;
      if (output.type === "file") to.putBlob(output.outputId, from.blob(output.outputId));
      else state.outputBytes += storedBytes(output.value ?? null);
      if (mcpServerOf(cut.toolOf(callId)) === null) state.outputs += 1;
    }
  }
  from.addFork(seed.executionId);
  return { ...taken, state, unanswered: cut.unanswered() };
}

/**
 * Stores the files of an execution that starts: its own, or those of the execution that it continues or
 * rehearses. Returns its seed without their bytes. Called within the transaction that stores it.
 */
export function keepFiles(seed: ExecutionSeed, to: Journal): ExecutionSeed {
  const { files: given, ...bare } = seed;
  const original = seed.fork?.executionId ?? seed.rehearsal?.of;
  const from = original === undefined ? null : to.other(original);
  const files = (from === null ? given : from.seed()?.files)?.map(({ data, ...file }, at) => {
    const name = fileCallId(at);
    const bytes = from === null ? fromBase64(data ?? "") : from.blob(name);
    if (bytes !== null) to.putBlob(name, bytes);
    if (from !== null) to.putBlob(textOfFile(name), from.blob(textOfFile(name)));
    return file;
  });
  return files === undefined ? bare : { ...bare, files };
}

/** Decides which facts of an execution, in their order, its fork has. */
class Cut {
  readonly #seed: ForkSeed;
  readonly #original: ExecutionSeed;
  readonly #calls = new Map<string, ToolCall>();
  readonly #uncertain = new Set<string>();
  #open: ToolCall[] = [];
  #steps = 0;
  #hasPrompt = false;
  #isOver = false;

  constructor(seed: ForkSeed, original: ExecutionSeed) {
    this.#seed = seed;
    this.#original = original;
  }

  take(fact: StoredFact | null): StoredFact | null {
    if (fact === null) return null;
    switch (fact.kind) {
      case "reply":
      case "attempt":
        return null;
      case "seed":
        return { kind: "seed", seed: this.#seed };
      case "effect":
        if (fact.state === "uncertain") this.#uncertain.add(fact.callId);
        else this.#uncertain.delete(fact.callId);
        return null;
      default:
        return this.#steps < this.#seed.fork.afterStep ? this.#within(fact) : this.#behind(fact);
    }
  }

  #within(fact: StoredFact): StoredFact | null {
    if (fact.kind === "tools" && !this.#hasSameServers()) return null;
    // A step that was not finished is the last.
    const { status } = fact.kind === "event" ? fact.data : {};
    if (FINAL_STATUSES.some((final) => final === status)) return null;
    if (fact.kind === "turn" && fact.turn.role === "assistant") {
      for (const call of fact.turn.calls) this.#calls.set(call.callId, call);
    }
    this.#open = openAfter(fact, this.#open);
    this.#hasPrompt ||= fact.kind === "turn";
    if (isStepEnd(fact)) this.#steps += 1;
    return fact;
  }

  /** Takes the prompt, and the messages for the next step. */
  #behind(fact: StoredFact): StoredFact | null {
    if (fact.kind !== "turn" || this.#isOver) return null;
    const { turn } = fact;
    const isPrompt = !this.#hasPrompt;
    this.#hasPrompt = true;
    if (turn.role === "user") return isPrompt || this.#seed.fork.takes !== "step" ? fact : null;
    this.#isOver = turn.role === "tool" || turn.fault === undefined;
    return null;
  }

  #hasSameServers(): boolean {
    const idsOf = ({ mcpServers }: ExecutionSeed) =>
      mcpServers.map(({ serverId }) => serverId).join();
    return idsOf(this.#seed) === idsOf(this.#original);
  }

  toolOf(callId: string): string {
    return this.#calls.get(callId)?.tool ?? "";
  }

  unanswered(): TakenOver["unanswered"] {
    return this.#open.map((call) => ({ call, answer: this.#answerOf(call) }));
  }

  #answerOf({ callId, tool }: ToolCall): ToolAnswer {
    if (this.#uncertain.has(callId)) {
      const message =
        "The execution ended during this call. It may have taken effect, so it does not run again.";
      return failedAnswer("uncertain", message);
    }
    if (tool === "finish")
      return { ok: true, content: "The execution ended with this result, and continues now." };
    return failedAnswer("not_run", "The execution ended before this call, so it did not run.");
  }
}

function isStepEnd(fact: StoredFact | null): boolean {
  return fact?.kind === "event" && fact.type === "step.finished";
}
