import type { Turn } from "../../../contract/conversation.ts";

/** What a call's id may look like; some servers send none at all, or a whole sentence. */
const GOOD_ID = /^[\w.:-]{1,64}$/;

/** All ids that the conversation's calls have. */
export function callIdsOf(turns: Turn[]): Set<string> {
  return new Set(
    turns.flatMap((turn) =>
      turn.role === "assistant" ? turn.calls.map(({ callId }) => callId) : [],
    ),
  );
}

/**
 * An id that no other call of the conversation has, and adds it to `taken`: the model's own where it
 * is good, since some servers insist on their form, else the next free number.
 */
export function uniqueCallId(wanted: string, taken: Set<string>): string {
  let id = wanted;
  for (let number = taken.size + 1; !GOOD_ID.test(id) || taken.has(id); number++) {
    id = `call_${number}`;
  }
  taken.add(id);
  return id;
}
