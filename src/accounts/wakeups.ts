import * as z from "zod";
import type { AlarmStorage } from "../durable/alarm-scheduler.ts";

const KEY = "wakeups";
const stored = z.object({ prune: z.number().optional() });

/**
 * Returns the storage of an account's wake-ups. Only the time of `prune` is stored: what else is due is
 * known from the rows, and to store those times would be a write for each.
 */
export function wakeupStorage(storage: DurableObjectStorage): AlarmStorage {
  const { kv } = storage;
  let prune: number | undefined;
  return {
    kv: {
      get: () => {
        ({ prune } = stored.parse(kv.get(KEY) ?? {}));
        return prune === undefined ? {} : { prune };
      },
      put: (_, times) => {
        const next = stored.parse(times).prune;
        if (next === prune) return;
        prune = next;
        kv.put(KEY, { prune });
      },
      delete: () => {
        prune = undefined;
        kv.delete(KEY);
      },
    },
    getAlarm: () => storage.getAlarm(),
    setAlarm: (at) => storage.setAlarm(at),
    deleteAlarm: () => storage.deleteAlarm(),
  };
}
