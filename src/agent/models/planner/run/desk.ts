import type { ModelRequest, ToolCall, Turn } from "../../../../contract/conversation.ts";
import type { Json } from "../../../../contract/json.ts";
import type { ToolAnswer } from "../../../../contract/tools/call.ts";

/** A call with its answer. */
export interface Done {
  callId: string;
  answer: ToolAnswer;
}

/** A call of the conversation, and its answer if there is one. */
interface Made {
  callId: string;
  tool: string;
  input: Json;
  readonly answer: ToolAnswer | null;
  /** The index of its turn. */
  turn: number;
}

/** How often a call without an answer is made; then it counts as failed, so that no run loops. */
const MAX_UNANSWERED = 2;
const LOST: ToolAnswer = { ok: false, error: { code: "lost", message: "No answer came back." } };
const UNCERTAIN: ToolAnswer = {
  ok: false,
  error: { code: "uncertain", message: "No answer came back, so its outcome is not known." },
};

/**
 * Looks calls up in the conversation and queues those that were not made. A plan that is walked from
 * its beginning at each step thereby goes exactly as far as the answers carry it.
 */
export class Desk {
  /** The calls to make with the next reply. */
  readonly pending: ToolCall[] = [];
  readonly #made: readonly Made[];
  readonly #tools: ReadonlySet<string>;
  /** The turns of the user. */
  readonly #messages: readonly number[];

  constructor({ turns, tools }: Pick<ModelRequest, "turns" | "tools">) {
    this.#made = madeCalls(turns);
    this.#tools = new Set(tools.map(({ name }) => name));
    this.#messages = turns.flatMap(({ role }, index) => (role === "user" ? [index] : []));
  }

  has(tool: string): boolean {
    return this.#tools.has(tool);
  }

  /** Returns the answer of a call, or null after queueing it. */
  get(tool: string, input: Json): Done | null {
    const wanted = canonical(input);
    const unanswered: string[] = [];
    for (const call of this.#made) {
      if (call.tool !== tool || canonical(call.input) !== wanted) continue;
      const { callId, answer } = call;
      if (isInterrupted(answer)) continue;
      if (answer !== null) return { callId, answer };
      unanswered.push(callId);
    }
    const [lost = ""] = unanswered;
    if (unanswered.length >= MAX_UNANSWERED) return { callId: lost, answer: LOST };
    this.#queue(tool, input);
    return null;
  }

  /**
   * Like `get`, for a call that changes the outside. A call since the user's turn `since` that `means`
   * the same counts, whatever its outcome and its details: a message that changes the answer must not
   * send it twice. `place` counts the calls that mean the same.
   */
  once(
    tool: string,
    input: Json,
    same: { since: number; means(input: Json): boolean; place: number },
  ): Done | null {
    const after = this.#messages[same.since] ?? 0;
    const earlier = this.#made.filter(
      (call) => call.tool === tool && call.turn > after && same.means(call.input),
    );
    const made = earlier[same.place];
    if (made !== undefined) return { callId: made.callId, answer: made.answer ?? UNCERTAIN };
    this.#queue(tool, input);
    return null;
  }

  /** Returns the answer to the last call of a tool since the user's last turn, or null. */
  last(tool: string): ToolAnswer | null {
    const after = this.#messages.at(-1) ?? 0;
    return this.#made.findLast((call) => call.tool === tool && call.turn > after)?.answer ?? null;
  }

  /** Returns an id that no call of the conversation has, in the order of calls. */
  nextId(): string {
    return `call_${this.#made.length + this.pending.length + 1}`;
  }

  #queue(tool: string, input: Json): void {
    const wanted = canonical(input);
    const queued = this.pending.some(
      (call) => call.tool === tool && canonical(call.input) === wanted,
    );
    if (!queued) this.pending.push({ callId: this.nextId(), tool, input });
  }
}

/** Returns JSON in an order of keys that does not depend on how the value was written or stored. */
function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const entries = Object.keys(value).sort();
  return `{${entries.map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`).join(",")}}`;
}

function madeCalls(turns: readonly Turn[]): Made[] {
  const answered = new Map<string, Turn & { role: "tool" }>();
  for (const turn of turns) if (turn.role === "tool") answered.set(turn.callId, turn);
  return turns.flatMap((turn, index) =>
    turn.role === "assistant"
      ? turn.calls.map(({ callId, tool, input }) => ({
          callId,
          tool,
          input,
          // Read on demand: a long answer comes from storage.
          get answer() {
            return answered.get(callId)?.answer ?? null;
          },
          turn: index,
        }))
      : [],
  );
}

/** Whether a call was abandoned for a new message, so that its answer says nothing. */
function isInterrupted(answer: ToolAnswer | null): boolean {
  return answer?.ok === false && answer.error.code === "interrupted";
}
