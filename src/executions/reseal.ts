import { CALLBACK_SECRET_CONTEXT } from "../contract/callbacks.ts";
import { type Resealed, Resealer } from "../lib/resealer.ts";
import type { Journal } from "./journal/journal.ts";

/**
 * Seals the callback secrets of executions with the first of these keys. A session in memory keeps its
 * secret as it was: it starts anew with every change of the keys.
 */
export async function resealCallbacks(
  journals: Iterable<Journal>,
  keys: string[],
): Promise<Resealed> {
  const sealer = new Resealer(keys);
  for (const journal of journals) {
    const before = journal.seed()?.callback?.sealedSecret ?? null;
    if (before === null) continue;
    const after = await sealer.reseal(before, CALLBACK_SECRET_CONTEXT);
    if (after !== before) journal.replaceInSeed(before, after);
  }
  return sealer.report();
}
