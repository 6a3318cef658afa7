import * as z from "zod";
import type { AlarmStorage } from "../durable/alarm-scheduler.ts";
import type { Components } from "./components.ts";

const KEY = "wakeups";
const stored = z.object({ prune: z.number().optional() });

/**
 * Returns the storage of an account's wake-ups. Only the time of `prune` is stored: which starts and rows
 * wait is known from the rows, and to store the times of `start` and `project` would be a write for each.
 */
export function wakeupStorage(
  storage: DurableObjectStorage,
  components: Pick<Components, "pendingStarts" | "outbox"> | null,
): AlarmStorage {
  const { kv } = storage;
  let { prune } = stored.parse(kv.get(KEY) ?? {});
  return {
    kv: {
      get: () => {
        const now = Date.now();
        return {
          ...(components?.pendingStarts.isWaiting ? { start: now } : {}),
          ...(components?.outbox.isWaiting ? { project: now } : {}),
          ...(prune === undefined ? {} : { prune }),
        };
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
