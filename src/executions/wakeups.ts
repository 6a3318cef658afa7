import type { ExecutionSeed } from "../contract/session.ts";
import { type Deliveries, nextCheck } from "../deliveries/pending.ts";
import type { Head, Task } from "./journal/head.ts";
import { nextLookAt } from "./machine/lifecycle.ts";
import { deadlineOf, type MachineState } from "./machine/state.ts";
import type { StatusReporter } from "./status-reporter.ts";

/** What is due is done right after its commit; this is when a wake-up does it if the process died. */
const BACKUP_MS = 2_000;
const DAY_MS = 86_400_000;

/** One change of an execution, stored at `now` (epoch milliseconds). */
interface Change {
  seed: ExecutionSeed;
  before: MachineState;
  state: MachineState;
  deliveries: Deliveries;
  reporters: Record<"report" | "log", StatusReporter>;
  now: number;
}

/** Returns when each wake-up of an execution is due after a change. */
export function dueAfter(due: Head["due"], change: Change): Head["due"] {
  const { seed, before, state, deliveries, reporters, now } = change;
  const next = { ...due };
  const plan = (name: Task, at: number | null) => {
    if (at === null) delete next[name];
    else next[name] = at;
  };
  plan("deadline", deadlineOf(state, seed.timeoutSeconds) ?? nextLookAt(state, seed));
  plan("callbacks", nextCheck(deliveries));
  plan("step", stepAfter(due.step, state, now));
  if (state.finishedAt !== null) plan("retention", state.finishedAt + seed.retentionDays * DAY_MS);
  for (const name of ["report", "log"] as const) {
    const delay = reporters[name].delay(seed, before, state);
    if (delay !== null) plan(name, sooner(due[name], now + (delay === 0 ? BACKUP_MS : delay)));
  }
  return next;
}

function stepAfter(due: number | undefined, state: MachineState, now: number): number | null {
  if (state.status !== "active") return null;
  return state.retryAt ?? sooner(due, now + BACKUP_MS);
}

function sooner(known: number | undefined, at: number): number {
  return known === undefined ? at : Math.min(known, at);
}
