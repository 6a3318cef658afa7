import { accountStub } from "../accounts/stub.ts";
import { isFinal } from "../contract/execution.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import { within } from "../lib/deadline.ts";
import type { MachineState } from "./machine/state.ts";
import { rowView } from "./views.ts";

/** How often an execution that goes on tells its account how it stands. */
const INTERVAL_MS = 5_000;
/** A report goes out right after its commit; this is when it is sent if that did not work. */
const BACKUP_MS = 2_000;
const TIMEOUT_MS = 10_000;
const LONGEST_BACKOFF_MS = 60_000;

/** The wake-up that makes a report certain. Times are epoch milliseconds. */
export interface ReportWakeup {
  set(at: number): void;
  setSooner(at: number): void;
  cancel(): void;
}

/** Tells the account how an execution stands and, at its end, what it used. */
export class Reporter {
  readonly #env: CloudflareEnv;
  readonly #wakeup: ReportWakeup;
  #underWay: Promise<void> | null = null;
  #failures = 0;

  constructor(env: CloudflareEnv, wakeup: ReportWakeup) {
    this.#env = env;
    this.#wakeup = wakeup;
  }

  get underWay(): Promise<void> | null {
    return this.#underWay;
  }

  /** Plans the report of a change: at once when the status changed, else every few seconds. */
  plan(before: MachineState, after: MachineState, now: number): void {
    const delay = before.status === after.status ? INTERVAL_MS : BACKUP_MS;
    this.#wakeup.setSooner(now + delay);
  }

  /** Reports the newest state that `current` gives; one report at a time. */
  send(seed: ExecutionSeed, current: () => MachineState): Promise<void> {
    this.#underWay ??= this.#send(seed, current).finally(() => {
      this.#underWay = null;
    });
    return this.#underWay;
  }

  async #send(seed: ExecutionSeed, current: () => MachineState): Promise<void> {
    const state = current();
    // What changes while this report is under way goes with the next one; until then none is due.
    this.#wakeup.set(Date.now() + INTERVAL_MS);
    try {
      const report = accountStub(this.#env, seed.accountId).report({
        row: rowView(seed, state),
        settle: isFinal(state.status) ? state.creditsUsed : null,
      });
      await within("the account", TIMEOUT_MS, report);
    } catch (error) {
      console.warn("report not delivered", { executionId: seed.executionId, error: String(error) });
      this.#failures += 1;
      const backoff = Math.min(1_000 * 2 ** (this.#failures - 1), LONGEST_BACKOFF_MS);
      this.#wakeup.set(Date.now() + backoff);
      return;
    }
    this.#failures = 0;
    const newest = current();
    if (newest.version === state.version) this.#wakeup.cancel();
    else if (newest.status !== state.status) this.#wakeup.set(Date.now());
  }
}
