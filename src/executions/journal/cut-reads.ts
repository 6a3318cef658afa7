import type { TaskFile, Turn } from "../../contract/conversation.ts";
import type { Source } from "../../contract/outputs.ts";
import { isObject } from "../../lib/json-values.ts";

/** The event of the acceptance, with which the files of a task come. */
const ACCEPTED = 1;

/** Returns the files of a task that cannot be read whole, as sources of what is based on them. */
export function cutFiles(taskFiles: readonly TaskFile[]): Map<string, Source[]> {
  const cuts = new Map<string, Source[]>();
  for (const { callId, answer } of taskFiles) {
    const cut = answer.ok && isObject(answer.content) ? answer.content.cutAt : undefined;
    if (typeof cut === "string") cuts.set(callId, [{ eventSeq: ACCEPTED, cut }]);
  }
  return cuts;
}

/**
 * The calls that read a source which was cut, as far as no later call read it whole. What a model writes
 * itself may be based on each that it had read.
 */
export class CutReads {
  /** The calls by what they read: an address, or the call's own answer. */
  readonly #open = new Map<string, string>();
  /** The calls of the last reply, and what was cut when the model wrote it. */
  #reply: { calls: ReadonlySet<string>; read: readonly string[] } = { calls: new Set(), read: [] };

  addReply({ calls }: Turn & { role: "assistant" }): void {
    this.#reply = {
      calls: new Set(calls.map(({ callId }) => callId)),
      read: [...this.#open.values()],
    };
  }

  /** Adds a call whose own source is `own`; `isWhole` says that it read all of it. */
  add(callId: string, own: Source | undefined, isWhole: boolean): void {
    const name = own?.url ?? callId;
    if (own?.cut !== undefined) this.#open.set(name, callId);
    else if (isWhole) this.#open.delete(name);
  }

  /** Returns the calls that the model had read when it made a call of its last reply, or of the next one. */
  before(callId: string): readonly string[] {
    return this.#reply.calls.has(callId) ? this.#reply.read : [...this.#open.values()];
  }
}
