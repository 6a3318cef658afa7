import type { LogEntry } from "../../../contract/inbound/log.ts";
import { sha256Hex } from "../../../lib/hex.ts";

const LENGTH = 16;

/** The mark of a page on which nothing is. */
export const NOTHING_SEEN = "none";

/** What a reader sees of these entries, as a short text that differs when that does. */
export async function fingerprintOf(entries: readonly LogEntry[]): Promise<string> {
  if (entries.length === 0) return NOTHING_SEEN;
  return shortHash(
    // What came never changes; what became of it does.
    entries.map(({ headers: _, query: __, body: ___, mappedInputs, ...shown }) => ({
      ...shown,
      isMapped: mappedInputs !== null,
    })),
  );
}

/** Tells what was shown from what there is now. */
export async function shortHash(shown: unknown): Promise<string> {
  return (await sha256Hex(JSON.stringify(shown))).slice(0, LENGTH);
}
