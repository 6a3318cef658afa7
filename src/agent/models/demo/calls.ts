import type { ModelRequest, ToolCall } from "../../../contract/conversation.ts";
import type { Json } from "../../../contract/json.ts";
import type { ToolAnswer } from "../../../contract/tools/call.ts";

/** How often a read that messages interrupt is made, so that no execution loops. */
const MAX_TRIES = 10;
const UNCERTAIN: ToolAnswer = {
  ok: false,
  error: { code: "uncertain", message: "No answer came back, so its outcome is not known." },
};

/** A call with its answer. */
export interface Answered {
  callId: string;
  answer: ToolAnswer;
}

/**
 * Finds the answers of calls in the conversation, and collects the calls that are still to be made. A
 * call's id is the place of its command, so walking the commands from the first one at each step goes
 * exactly as far as the answers reach.
 */
export class Calls {
  readonly pending: ToolCall[] = [];
  readonly #answers = new Map<string, { readonly answer: ToolAnswer }>();
  readonly #made = new Set<string>();

  constructor({ turns }: Pick<ModelRequest, "turns">) {
    for (const turn of turns) {
      // The turn is kept, not its answer: a long one is read from storage when it is wanted.
      if (turn.role === "tool") this.#answers.set(turn.callId, turn);
      if (turn.role === "assistant") for (const { callId } of turn.calls) this.#made.add(callId);
    }
  }

  /** Returns the answer of a call that was made, or null. */
  answer(callId: string): ToolAnswer | null {
    return this.#answers.get(callId)?.answer ?? null;
  }

  /**
   * Returns the id and the answer of a call, or null after noting that it is to be made. Only a read that
   * was interrupted is made again.
   */
  get(id: string, tool: string, input: object, isRead: boolean): Answered | null {
    for (let attempt = 1; attempt <= (isRead ? MAX_TRIES : 1); attempt += 1) {
      const callId = attempt === 1 ? id : `${id}~${attempt}`;
      if (!this.#made.has(callId)) {
        const plain: Json = JSON.parse(JSON.stringify(input));
        const isNoted = this.pending.some((call) => call.callId === callId);
        if (!isNoted) this.pending.push({ callId, tool, input: plain });
        return null;
      }
      const answer = this.answer(callId);
      const isInterrupted = answer?.ok === false && answer.error.code === "interrupted";
      if (answer !== null && !(isRead && isInterrupted)) return { callId, answer };
    }
    return { callId: id, answer: UNCERTAIN };
  }
}
