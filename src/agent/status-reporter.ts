import { isFinal } from "../contract/execution.ts";
import type { RunReport } from "../contract/inbound/inbox.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import type { Wakeup } from "../durable/alarm-scheduler.ts";
import { accountStub, inboxStub } from "../durable/stubs.ts";
import { within } from "../lib/async.ts";
import { logWarning } from "../lib/log.ts";
import type { MachineState } from "./machine/state.ts";
import { rowView } from "./views.ts";

/** A report that is due at once goes out right after its commit; this is when it is sent if that did not work. */
const BACKUP_MS = 2_000;
/** When a report that is under way is sent again, should this process die with it. */
const UNDER_WAY_MS = 5_000;
const TIMEOUT_MS = 10_000;
const LONGEST_BACKOFF_MS = 60_000;

/** Who is told how an execution stands. */
export interface StatusSubscriber {
  /** For the log of the service. */
  name: string;
  /** Milliseconds after which a change is told, 0 for at once; null when it is nothing to them. */
  delay(seed: ExecutionSeed, before: MachineState, after: MachineState): number | null;
  notify(seed: ExecutionSeed, state: MachineState): Promise<void>;
}

/** Tells one recipient how an execution stands, again and again until that has been heard. */
export class StatusReporter {
  readonly #recipient: StatusSubscriber;
  readonly #wakeup: Wakeup;
  #failures = 0;

  /** The wake-up makes the report certain. */
  constructor(recipient: StatusSubscriber, wakeup: Wakeup) {
    this.#recipient = recipient;
    this.#wakeup = wakeup;
  }

  /** Plans the report of a change that was stored at `now`; true when it is to be sent at once. */
  plan(seed: ExecutionSeed, before: MachineState, after: MachineState, now: number): boolean {
    const delay = this.#recipient.delay(seed, before, after);
    if (delay === null) return false;
    this.#wakeup.setSooner(now + (delay === 0 ? BACKUP_MS : delay));
    return delay === 0;
  }

  /** Reports the newest state; returns when the next report is due (epoch milliseconds), or null. */
  async send(seed: ExecutionSeed, current: () => MachineState): Promise<number | null> {
    const { name } = this.#recipient;
    const state = current();
    // What changes while this report is under way goes with the next one; until then none is due.
    this.#wakeup.set(Date.now() + UNDER_WAY_MS);
    try {
      await within(name, TIMEOUT_MS, this.#recipient.notify(seed, state));
    } catch (error) {
      const { executionId } = seed;
      logWarning("report not delivered", { executionId, to: name }, error);
      this.#failures += 1;
      const backoff = Math.min(1_000 * 2 ** (this.#failures - 1), LONGEST_BACKOFF_MS);
      return Date.now() + backoff;
    }
    this.#failures = 0;
    const delay = this.#recipient.delay(seed, state, current());
    return delay === null ? null : Date.now() + delay;
  }
}

/** How often an execution that goes on tells its account how it stands. */
const ROW_INTERVAL_MS = 5_000;
/** A run that is over sooner tells its beginning and its end in one report. */
const START_DELAY_MS = 250;

/** The account: it keeps the row and, at the end, settles what was used. */
export function accountSubscriber(env: CloudflareEnv): StatusSubscriber {
  return {
    name: "the account",
    delay(_, before, after) {
      if (before.version === after.version) return null;
      return before.status === after.status ? ROW_INTERVAL_MS : 0;
    },
    notify: (seed, state) =>
      accountStub(env, seed.accountId).report({
        row: rowView(seed, state),
        settle: isFinal(state.status) ? state.creditsUsed : null,
      }),
  };
}

/** The log of the inbound request that started the execution, where one did: it hears of start and end. */
export function requestLogSubscriber(env: CloudflareEnv): StatusSubscriber {
  return {
    name: "the request log",
    delay({ inbound }, before, after) {
      if (inbound === null) return null;
      if (isFinal(after.status)) return isFinal(before.status) ? null : 0;
      return before.startedAt === null && after.startedAt !== null ? START_DELAY_MS : null;
    },
    async notify(seed, state) {
      const { inbound } = seed;
      if (inbound === null) return;
      await inboxStub(env, inbound.endpointId).report(runReport(seed, inbound.requestId, state));
    },
  };
}

function runReport(seed: ExecutionSeed, requestId: string, state: MachineState): RunReport {
  const { version, status, startedAt, finishedAt } = state;
  return {
    requestId,
    executionId: seed.executionId,
    version,
    status,
    startedAt,
    finishedAt,
    error: errorOf(state),
  };
}

/** To the log a run that was stopped did not succeed either. */
function errorOf({ status, statusDetail, summary, error }: MachineState): RunReport["error"] {
  if (status !== "stopped") return error;
  return { code: statusDetail, message: summary ?? "" };
}
