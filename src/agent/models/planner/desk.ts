import type { ModelRequest, ToolCall, Turn } from "../../../contract/conversation.ts";
import type { Json } from "../../../contract/json.ts";
import type { ToolAnswer } from "../../../contract/tools/call.ts";

/** A call of this conversation and what came back, or null when nothing did. */
export interface Made {
  callId: string;
  tool: string;
  input: Json;
  readonly answer: ToolAnswer | null;
  /** The turn that it was made in. */
  turn: number;
}

/** An order of keys that does not depend on how the input was written down or stored. */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const entries = Object.keys(value).sort();
  return `{${entries.map((key) => `${JSON.stringify(key)}:${canonical(value[key] ?? null)}`).join(",")}}`;
}

function madeCalls(turns: readonly Turn[]): Made[] {
  const answered = new Map<string, Turn & { role: "tool" }>();
  for (const turn of turns) if (turn.role === "tool") answered.set(turn.callId, turn);
  return turns.flatMap((turn, at) =>
    turn.role === "assistant"
      ? turn.calls.map(({ callId, tool, input }) => ({
          callId,
          tool,
          input,
          // Read when it is wanted: a long one comes from storage.
          get answer() {
            return answered.get(callId)?.answer ?? null;
          },
          turn: at,
        }))
      : [],
  );
}

/** A call without an answer is made once more, then counts as failed: nothing is asked for ever. */
const MAX_UNANSWERED = 2;
const LOST: ToolAnswer = { ok: false, error: { code: "lost", message: "No answer came back." } };
/** A call that changes the outside and of which nothing came back may have been carried out. */
const UNCERTAIN: ToolAnswer = {
  ok: false,
  error: { code: "uncertain", message: "No answer came back, so what came of it is not known." },
};

/** A call that was given up for a new message tells nothing of what it was to find. */
function isInterrupted(answer: ToolAnswer | null): boolean {
  return answer?.ok === false && answer.error.code === "interrupted";
}

/**
 * Where the planner gets what it needs. A call that was already made is looked up in the
 * conversation; one that was not is noted, to be made with the next reply. So the same plan, walked
 * from its beginning at each step, goes exactly as far as the answers carry it.
 */
export class Desk {
  readonly pending: ToolCall[] = [];
  /** Tools that the plan needs and that the allow-list leaves out. */
  readonly lacking = new Set<string>();
  readonly made: readonly Made[];
  /** The turns of the client's messages. */
  private readonly messages: readonly number[];
  private readonly tools: ReadonlySet<string>;

  constructor(request: Pick<ModelRequest, "turns" | "tools">) {
    this.made = madeCalls(request.turns);
    this.messages = request.turns.flatMap((turn, at) => (turn.role === "user" ? [at] : []));
    this.tools = new Set(request.tools.map((tool) => tool.name));
  }

  has(tool: string): boolean {
    return this.tools.has(tool);
  }

  /** The answer to a call, or null while there is none: it is then pending, or its tool is lacking. */
  get(tool: string, input: Json): { callId: string; answer: ToolAnswer } | null {
    const wanted = canonical(input);
    const unanswered: string[] = [];
    for (const call of this.made) {
      if (call.tool !== tool || canonical(call.input) !== wanted) continue;
      const { callId, answer } = call;
      if (isInterrupted(answer)) continue;
      if (answer !== null) return { callId, answer };
      unanswered.push(callId);
    }
    const [lost = ""] = unanswered;
    if (unanswered.length >= MAX_UNANSWERED) return { callId: lost, answer: LOST };
    if (this.has(tool)) this.queue(tool, input);
    else this.lacking.add(tool);
    return null;
  }

  /**
   * As `get`, for a call that changes the outside. One that was made since the client's message
   * `since` and that `means` the same counts, whatever came of it and whatever it said in detail: a
   * change of heart about the answer must not send it twice. `place` counts calls that mean the same.
   */
  once(
    tool: string,
    input: Json,
    since: number,
    means: (input: Json) => boolean,
    place = 0,
  ): { callId: string; answer: ToolAnswer } | null {
    const made = this.since(tool, since, means)[place];
    if (made !== undefined) return { callId: made.callId, answer: made.answer ?? UNCERTAIN };
    this.queue(tool, input);
    return null;
  }

  /** Whether such a call was made since the client's message `since`, whatever came of it. */
  was(tool: string, since: number, means: (input: Json) => boolean): boolean {
    return this.since(tool, since, means).length > 0;
  }

  private since(tool: string, message: number, means: (input: Json) => boolean): Made[] {
    const after = this.messages[message] ?? 0;
    return this.made.filter((call) => call.tool === tool && call.turn > after && means(call.input));
  }

  private queue(tool: string, input: Json): void {
    const wanted = canonical(input);
    const queued = this.pending.some(
      (call) => call.tool === tool && canonical(call.input) === wanted,
    );
    if (!queued) this.pending.push({ callId: this.nextId(), tool, input });
  }

  /** An id that no call of this conversation has: `call_1`, `call_2`, … in the order of calls. */
  nextId(): string {
    return `call_${this.made.length + this.pending.length + 1}`;
  }
}
