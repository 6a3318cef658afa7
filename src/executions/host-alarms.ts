import * as z from "zod";
import { AlarmScheduler, type Due } from "../durable/alarm-scheduler.ts";
import { jsonColumn, rowsOf, type TableSql } from "../durable/rows.ts";

/**
 * A wake-up more than twice as far away stays in storage until it has come near. Most are those that delete
 * executions which have ended: in memory they would grow with all that a host has ever done.
 */
const NEAR_MS = 86_400_000;
/** The wake-up that reads those. No execution has this id. */
const LOOK = "look";

const wakeupsRow = z.object({
  near: jsonColumn(z.array(z.tuple([z.string(), z.number()]))),
  next: z.number().nullable(),
});

/** Creates the scheduler of a host over the wake-ups of its executions, each of which stores its own time. */
export function hostAlarms(
  storage: { sql: TableSql } & Pick<DurableObjectStorage, "getAlarm" | "setAlarm">,
  /** `save` stores which wake-ups are done. */
  { wake, save }: { wake(executionId: string): Promise<Due>; save(): void },
): AlarmScheduler<string> {
  const alarms = new AlarmScheduler<string>({
    alarm: storage,
    store: {
      load: () => {
        const { near, lookAt } = storedWakeups(storage.sql, Date.now());
        return lookAt === null ? near : [...near, [LOOK, lookAt]];
      },
      // An index in storage would be a row written with each change.
      save: () => {},
      flush: save,
    },
    run: (name) => (name === LOOK ? look() : wake(name)),
  });
  function look(): Due {
    const { near, lookAt } = storedWakeups(storage.sql, Date.now());
    for (const [name, at] of near) if (alarms.at(name) === null) alarms.set(name, at);
    return lookAt;
  }
  return alarms;
}

/** Points the alarm of a host at when an execution is due next (epoch milliseconds), or null for never. */
export function planWakeup(
  alarms: AlarmScheduler<string>,
  executionId: string,
  at: number | null,
): void {
  const isFar = at !== null && at > Date.now() + 2 * NEAR_MS;
  if (isFar) alarms.setSooner(LOOK, at - NEAR_MS);
  alarms.set(executionId, isFar ? null : at);
  alarms.arm();
}

/** Returns the wake-ups that are near, and when to look for the others, by reading each head once. */
function storedWakeups(
  sql: TableSql,
  now: number,
): { near: [string, number][]; lookAt: number | null } {
  const query = `SELECT min(wake_at) FILTER (WHERE wake_at > ?1) AS next,
      json_group_array(json_array(execution_id, wake_at)) FILTER (WHERE wake_at <= ?1) AS near
    FROM heads`;
  const [found] = rowsOf(sql, wakeupsRow, query, now + 2 * NEAR_MS);
  const { near, next } = found ?? { near: [], next: null };
  return { near, lookAt: next === null ? null : next - NEAR_MS };
}
