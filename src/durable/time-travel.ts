import type { GoBackReply, KeptEffect } from "../contract/backup.ts";

/** Why the calls to an object fail that goes back in time. */
const WENT_BACK = "The object went back in time.";

/** The part of an object's state that going back needs. */
export interface TravellingObject {
  storage: {
    getBookmarkForTime(at: number): Promise<string>;
    onNextSessionRestoreBookmark(bookmark: string): Promise<string>;
  };
  blockConcurrencyWhile<T>(work: () => Promise<T>): Promise<T>;
  abort(reason: string): void;
}

/** The effects that an object had after a time, and the place that keeps them. */
interface Effects {
  found(): KeptEffect[];
  keep(effects: KeptEffect[]): Promise<void>;
}

const NO_EFFECTS: Effects = { found: () => [], keep: async () => {} };

/**
 * Sets an object back to a time (epoch milliseconds) and restarts it. Nothing else happens in the object
 * meanwhile, so no effect is confirmed that is not kept.
 */
export function goBack(
  object: TravellingObject,
  to: number,
  { dryRun }: { dryRun: boolean },
  { found, keep } = NO_EFFECTS,
): Promise<GoBackReply> {
  const { storage } = object;
  return object.blockConcurrencyWhile(async (): Promise<GoBackReply> => {
    try {
      const bookmark = await storage.getBookmarkForTime(to);
      const effects = found();
      if (dryRun) return { kind: "ready", effects };
      // Kept first: a list of what was not undone changes nothing, but an effect that is missing is repeated.
      await keep(effects);
      await storage.onNextSessionRestoreBookmark(bookmark);
    } catch (error) {
      return { kind: "refused", reason: error instanceof Error ? error.message : String(error) };
    }
    object.abort(WENT_BACK);
    throw new Error(WENT_BACK);
  });
}

/** Whether a call failed because its object went back in time. Only the message comes over from the object. */
export function wentBack(error: unknown): boolean {
  return error instanceof Error && error.message.includes(WENT_BACK);
}
