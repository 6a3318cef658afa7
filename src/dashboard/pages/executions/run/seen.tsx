import * as z from "zod";
import { askKey } from "./ask.tsx";
import { effectsKey } from "./effects.tsx";
import type { Run } from "./load.ts";

/** What the reader's page shows, so that an update brings only what it does not. */
export interface Seen {
  /** The first entry of the log. */
  first: number;
  /** The last one; null where the page shows an older part of the log. */
  last: number | null;
  outputs: number;
  status: string;
  ask: string;
  effects: string;
}

const count = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** Reads it from the query of a request. */
export const seenQuery = z.object({
  first: count.catch(1),
  last: z.union([z.literal("").transform(() => null), count]).catch(null),
  outputs: count.catch(0),
  status: z.string().catch(""),
  ask: z.string().catch(""),
  effects: z.string().catch(""),
});

/** What a page shows of this run. */
export function seenOf({ state, result, log }: Run): Seen {
  return {
    first: log.events[0]?.seq ?? 1,
    last: log.isNewest ? (log.events.at(-1)?.seq ?? 0) : null,
    outputs: result.outputs.length,
    status: statusKey(state),
    ask: askKey(state.question),
    effects: effectsKey(result.effects),
  };
}

export function statusKey({ status, statusDetail }: Run["state"]): string {
  return `${status} ${statusDetail}`;
}

/** Goes along with each request for an update. */
export function SeenForm({ seen, isUpdate }: { seen: Seen; isUpdate: boolean }) {
  return (
    <form id="seen" hidden {...(isUpdate && { "hx-swap-oob": "true" })}>
      {Object.entries(seen).map(([name, value]) => (
        <input type="hidden" name={name} value={value ?? ""} />
      ))}
    </form>
  );
}
