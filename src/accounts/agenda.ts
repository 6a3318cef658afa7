import type { AlarmScheduler } from "../durable/alarm-scheduler.ts";
import type { Components } from "./components.ts";
import type { TaskName } from "./tasks.ts";
import { WATCH_INTERVAL_MS } from "./watch.ts";

/** Schedules what an earlier process left. */
export function resume(
  alarms: AlarmScheduler<TaskName>,
  components: Components,
  now: number,
): void {
  const { pendingStarts, outbox, ledger, schedules, messages, jobs, subscriptions } = components;
  alarms.load();
  if (pendingStarts.isWaiting) alarms.set("start", now);
  if (outbox.isWaiting) alarms.set("project", now);
  alarms.plan("schedule", schedules.nextLook());
  alarms.plan("deliver", messages.nextCheck);
  alarms.plan("jobs", jobs.nextLook());
  if (!subscriptions.isEmpty) alarms.setSooner("events", now);
  if (ledger.live > 0) alarms.set("watch", now + WATCH_INTERVAL_MS);
  follow(alarms, components, now);
}

/** Schedules what follows from the controls of an account. */
export function follow(
  alarms: AlarmScheduler<TaskName>,
  { controls, ledger, dispatcher }: Components,
  now: number,
): void {
  if (controls.isUnpublished) alarms.setSooner("publish", now);
  if (controls.erasure !== null) alarms.setSooner("erase", now);
  if (controls.status === "suspended" && ledger.live > 0) alarms.setSooner("halt", now);
  dispatcher.freed();
}
