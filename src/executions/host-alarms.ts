import * as z from "zod";
import { LONGEST_GRACE_MS } from "../deliveries/pending.ts";
import { AlarmScheduler, type Due } from "../durable/alarm-scheduler.ts";
import { jsonColumn, rowsOf, type TableSql } from "../durable/rows.ts";

/**
 * Wake-ups further away stay in storage until the first of them is due. Most are those that delete executions
 * which have ended: in memory they would grow with all that a host has ever done.
 */
const NEAR_MS = 2 * 86_400_000;
/** The wake-up that reads those. No execution has this id. */
const LOOK = "look";

const wakeupsRow = z.object({
  near: jsonColumn(z.array(z.tuple([z.string(), z.number()]))),
  next: z.number().nullable(),
});
const sinceRow = z.object({ since: z.number().nullable() });

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
        const { near, next } = storedWakeups(storage.sql, Date.now());
        return next === null ? near : [...near, [LOOK, next]];
      },
      // An index in storage would be a row written with each change.
      save: () => {},
      flush: save,
    },
    run: (name) => (name === LOOK ? look() : wake(name)),
  });
  function look(): Due {
    const { near, next } = storedWakeups(storage.sql, Date.now());
    for (const [name, at] of near) if (alarms.at(name) === null) alarms.set(name, at);
    return next;
  }
  return alarms;
}

/** Points the alarm of a host at when an execution is due next (epoch milliseconds), or null for never. */
export function planWakeup(
  alarms: AlarmScheduler<string>,
  executionId: string,
  at: number | null,
): void {
  const isFar = at !== null && at > Date.now() + NEAR_MS;
  if (isFar) alarms.setSooner(LOOK, at);
  alarms.set(executionId, isFar ? null : at);
  alarms.arm();
}

/**
 * Returns since when the callback is due that waits longest (epoch milliseconds), or null for none. Its execution
 * wakes soon, so only the heads of those that do are read.
 */
export function callbacksSince(sql: TableSql, alarms: AlarmScheduler<string>): number | null {
  const soon = JSON.stringify(alarms.dueBy(Date.now() + LONGEST_GRACE_MS));
  const query = `SELECT min(coalesce(owed.value ->> 'dueAt', owed.value ->> 'checkAt')) AS since
    FROM json_each(?) AS soon CROSS JOIN heads ON execution_id = soon.value
    CROSS JOIN json_each(head, '$.deliveries.pending') AS owed`;
  return rowsOf(sql, sinceRow, query, soon)[0]?.since ?? null;
}

/** Returns the wake-ups that are near, and the time of the first other one, by reading each head once. */
function storedWakeups(sql: TableSql, now: number): z.infer<typeof wakeupsRow> {
  const query = `SELECT min(wake_at) FILTER (WHERE wake_at > ?1) AS next,
      json_group_array(json_array(execution_id, wake_at)) FILTER (WHERE wake_at <= ?1) AS near
    FROM heads`;
  const [found] = rowsOf(sql, wakeupsRow, query, now + NEAR_MS);
  return found ?? { near: [], next: null };
}
