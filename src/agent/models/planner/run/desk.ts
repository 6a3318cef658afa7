import type { ModelRequest, ToolCall } from "../../../../contract/conversation.ts";
import type { Json } from "../../../../contract/json.ts";
import type { ToolAnswer } from "../../../../contract/tools/call.ts";
import { canonicalJson, isObject } from "../../../../lib/json-values.ts";

/** A call with its answer. */
export interface Done {
  callId: string;
  answer: ToolAnswer;
}

/** Why the task cannot be done. */
export interface Failure {
  reason: "cannot_do" | "source_unavailable";
  message: string;
}

/** A call of the conversation. Its answer is read on demand: a long one comes from storage. */
interface Made extends ToolCall {
  answered: { readonly answer: ToolAnswer } | undefined;
  /** The index of its turn. */
  turn: number;
}

/** How often a read that messages interrupt is made, so that no run loops. */
const MAX_TRIES = 10;
const UNCERTAIN: ToolAnswer = {
  ok: false,
  error: { code: "uncertain", message: "No answer came back, so its outcome is not known." },
};

/**
 * Looks calls up in the conversation and queues those that were not made. A plan that is walked from
 * its beginning at each step thereby goes exactly as far as the answers carry it. What returns null is
 * either waiting for a pending call, or has failed and left the reason here.
 */
export class Desk {
  /** The calls to make with the next reply. */
  readonly pending: ToolCall[] = [];
  readonly failures: Failure[] = [];
  readonly #made: readonly Made[];
  readonly #tools: ReadonlySet<string>;
  readonly #lastMessage: number;
  /** How many calls of each meaning the plan has come to. */
  readonly #places = new Map<string, number>();

  constructor({ turns, tools }: Pick<ModelRequest, "turns" | "tools">) {
    const answers = new Map<string, { readonly answer: ToolAnswer }>();
    for (const turn of turns) if (turn.role === "tool") answers.set(turn.callId, turn);
    this.#made = turns.flatMap((turn, index) =>
      turn.role === "assistant"
        ? turn.calls.map((call) => ({ ...call, answered: answers.get(call.callId), turn: index }))
        : [],
    );
    this.#tools = new Set(tools.map(({ name }) => name));
    this.#lastMessage = turns.findLastIndex(({ role }) => role === "user");
  }

  /** Whether the plan cannot go on before the next step. */
  get isBlocked(): boolean {
    return this.pending.length + this.failures.length > 0;
  }

  has(tool: string): boolean {
    return this.#tools.has(tool);
  }

  /** Returns the answer of a call, or null after queueing it. */
  get(tool: string, input: Json): Done | null {
    const wanted = meaningOf(input);
    const isSame = (call: ToolCall) => call.tool === tool && meaningOf(call.input) === wanted;
    const same = this.#made.filter(isSame);
    const last = same.at(-1);
    const answer = last?.answered?.answer;
    if (last !== undefined && answer !== undefined) {
      const isInterrupted = !answer.ok && answer.error.code === "interrupted";
      if (!isInterrupted || same.length >= MAX_TRIES) return { callId: last.callId, answer };
    }
    return this.pending.some(isSame) ? null : this.#queue(tool, input);
  }

  /**
   * Like `get`, for a call that changes the outside: one that agrees in `fields` counts, whatever its
   * outcome and its details, since a message that changes the answer must not send it twice.
   */
  once(tool: string, input: Json, fields: readonly string[]): Done | null {
    const meaning = meaningOf(input, fields);
    const key = `${tool} ${meaning}`;
    const place = this.#places.get(key) ?? 0;
    this.#places.set(key, place + 1);
    const same = this.#made.filter(
      (call) => call.tool === tool && meaningOf(call.input, fields) === meaning,
    );
    const made = same[place];
    if (made === undefined) return this.#queue(tool, input);
    return { callId: made.callId, answer: made.answered?.answer ?? UNCERTAIN };
  }

  #queue(tool: string, input: Json): null {
    this.pending.push({ callId: this.nextId(), tool, input });
    return null;
  }

  /** Returns the answer to the last call of a tool since the user's last turn, or null. */
  last(tool: string): ToolAnswer | null {
    const made = this.#made.findLast((call) => call.tool === tool && call.turn > this.#lastMessage);
    return made?.answered?.answer ?? null;
  }

  /** Records why the task cannot be done, once. */
  fail(message: string, reason: Failure["reason"] = "cannot_do"): null {
    const isKnown = this.failures.some((one) => one.message === message);
    if (!isKnown) this.failures.push({ reason, message });
    return null;
  }

  /** Returns an id that no call of the conversation has, in the order of calls. */
  nextId(): string {
    return `call_${this.#made.length + this.pending.length + 1}`;
  }
}

/** Returns a text that inputs share which are equal, in these fields if some are given. */
function meaningOf(input: Json, fields?: readonly string[]): string {
  const own = isObject(input) ? input : {};
  return canonicalJson(fields === undefined ? input : fields.map((name) => own[name] ?? null));
}
