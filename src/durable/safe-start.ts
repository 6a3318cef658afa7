import { logError } from "../lib/log.ts";
import { UnreadableStateError } from "./schema.ts";

/** How long an object that failed waits for its next try; the platform's own tries come sooner. */
const RETRY_MS = 60_000;

/** The part of an object's state that its start needs. */
export interface StartingObject extends Pick<DurableObjectState, "blockConcurrencyWhile"> {
  storage: Pick<DurableObjectStorage, "transactionSync" | "getAlarm" | "setAlarm" | "sync">;
}

/**
 * Does the work of an object's constructor: `load`, in one transaction, which reads and migrates what is
 * stored, then `recover`. If `load` throws, calls fail with an `UnreadableStateError`. If either throws,
 * an alarm is stored before the object is reset: the platform repeats an alarm that fails six times, which
 * takes some two minutes, and then drops it, also if it fails in the constructor.
 */
export function startSafely(
  name: string,
  object: StartingObject,
  { load, recover }: { load(): void; recover(): Promise<void> },
): void {
  const { storage } = object;
  let failure: { error: unknown } | null = null;
  try {
    storage.transactionSync(load);
  } catch (error) {
    failure = { error: new UnreadableStateError(error) };
  }
  const start = async () => {
    try {
      if (failure !== null) throw failure.error;
      await recover();
    } catch (error) {
      logError("object not started", { object: name }, error);
      await keepAlarm(storage);
      throw error;
    }
  };
  // The platform resets the object, and fails the calls that wait for it.
  void object.blockConcurrencyWhile(start).catch(() => undefined);
}

/** Stores an alarm before an object repeats the work of an alarm that failed, which may fail again. */
export async function beforeRetry(
  { storage }: StartingObject,
  info: { isRetry: boolean } | undefined,
): Promise<void> {
  if (info?.isRetry) await keepAlarm(storage);
}

async function keepAlarm(storage: StartingObject["storage"]): Promise<void> {
  const now = Date.now();
  const known = await storage.getAlarm();
  if (known !== null && known > now) return;
  await storage.setAlarm(now + RETRY_MS);
  await storage.sync();
}
