import type { ExecutionReport } from "../contract/account.ts";
import type { CallbackAttempt } from "../contract/callbacks.ts";
import type { StoredDecision } from "../contract/decisions.ts";
import { isFinal } from "../contract/execution.ts";
import type { ExecutionSeed } from "../contract/session.ts";
import type { Deliveries } from "../deliveries/pending.ts";
import { accountStub, inboxStub } from "../durable/stubs.ts";
import { backoffMs, within } from "../lib/async.ts";
import { isLoopbackHost } from "../lib/http.ts";
import { logInfo, logWarning } from "../lib/log.ts";
import { activeMsAt, type MachineState } from "./machine/state.ts";
import { rowView } from "./views.ts";

const TIMEOUT_MS = 10_000;

/** Receives the status of an execution. */
export interface StatusSubscriber {
  /** Names the subscriber in the service's log. */
  name: string;
  /** Returns the milliseconds until a change is reported, 0 for at once, or null to ignore it. */
  delay(seed: ExecutionSeed, before: MachineState, after: MachineState): number | null;
  notify(seed: ExecutionSeed, state: MachineState): Promise<void>;
}

/** Reports the status of an execution to one subscriber and retries until it succeeds. */
export class StatusReporter {
  readonly #subscriber: StatusSubscriber;
  #failures = 0;

  constructor(subscriber: StatusSubscriber) {
    this.#subscriber = subscriber;
  }

  /** Returns the milliseconds until a change is reported, 0 for at once, or null if it need not be. */
  delay(seed: ExecutionSeed, before: MachineState, after: MachineState): number | null {
    return this.#subscriber.delay(seed, before, after);
  }

  /** Reports the newest state; returns when the next report is due (epoch milliseconds), or null. */
  async send(seed: ExecutionSeed, current: () => MachineState): Promise<number | null> {
    const { name } = this.#subscriber;
    const state = current();
    try {
      await within(name, TIMEOUT_MS, this.#subscriber.notify(seed, state));
    } catch (error) {
      const { executionId } = seed;
      logWarning("report not delivered", { executionId, to: name }, error);
      this.#failures += 1;
      return Date.now() + backoffMs(this.#failures);
    }
    this.#failures = 0;
    // Changes made while this report was in flight are part of the next one.
    const delay = this.delay(seed, state, current());
    return delay === null ? null : Date.now() + delay;
  }
}

/** How often a running execution reports to its account. */
const ROW_INTERVAL_MS = 5_000;
/** An execution that ends within this time reports its start and its end at once. */
const START_DELAY_MS = 250;

/** Reports to the account, which stores the row and settles the credits at the end. */
export function accountSubscriber(
  env: CloudflareEnv,
  host: {
    storedBytes(): number;
    reported(decisions: readonly StoredDecision[]): void;
    troubles(): TroubleReport;
  },
): StatusSubscriber {
  return {
    name: "the account",
    delay(_, before, after) {
      if (before.version === after.version) return null;
      const isSame = before.status === after.status && before.decision === after.decision;
      return isSame ? ROW_INTERVAL_MS : 0;
    },
    async notify(seed, state) {
      const { decision, unreported } = state;
      // A restored account may be older than the session: it is told of what is open in any case.
      const isKnown = decision?.state !== "open" || unreported.includes(decision);
      const decisions = isKnown ? unreported : [...unreported, decision];
      const { report, reported } = host.troubles();
      await accountStub(env, seed.accountId).report({
        row: rowView(seed, state),
        settle: isFinal(state.status) ? state.creditsUsed : null,
        storedBytes: host.storedBytes(),
        ...(decisions.length > 0 && { decisions, rules: seed.decisions, origin: originOf(seed) }),
        ...report,
      });
      reported();
      host.reported(unreported);
    },
  };
}

/** Returns the address under which the service was asked for an execution. */
function originOf({ serviceHosts: [host = ""] }: ExecutionSeed): string {
  const isLocal = isLoopbackHost(host.replace(/:\d+$/, ""));
  return `${isLocal ? "http" : "https"}://${host}`;
}

/** Reports start and end to the log of the inbound request that started the execution, if any. */
export function requestLogSubscriber(env: CloudflareEnv): StatusSubscriber {
  return {
    name: "the request log",
    delay({ inbound }, before, after) {
      if (inbound === null) return null;
      if (isFinal(after.status)) return isFinal(before.status) ? null : 0;
      // The log also follows an execution that waits for a person before its start.
      const isAsked = after.startedAt === null && before.status !== after.status;
      return isAsked || before.startedAt !== after.startedAt ? START_DELAY_MS : null;
    },
    async notify(seed, state) {
      const { inbound, executionId } = seed;
      if (inbound === null) return;
      const { version, status, statusDetail, startedAt, finishedAt, summary } = state;
      const { endpointId, requestId } = inbound;
      // The request log counts a stopped execution as unsuccessful.
      const stopped = status === "stopped" && { code: statusDetail, message: summary ?? "" };
      const report = { requestId, executionId, version, status, startedAt, finishedAt };
      await inboxStub(env, endpointId).report({ ...report, error: stopped || state.error });
    },
  };
}

type Connection = ExecutionSeed["connections"][number];

/** What went wrong outside; `reported` is called once the account knows it. */
interface TroubleReport {
  report: Pick<ExecutionReport, "callback" | "refused">;
  reported(): void;
}

/** What the account is to be told of an execution's callbacks and connections. */
export class Troubles {
  #hasCallbackNews: boolean;
  readonly #refused = new Map<string, Connection>();

  constructor(deliveries: Deliveries) {
    this.#hasCallbackNews = deliveries.latest === "failed";
  }

  /** Notes that a server refused the credential of a connection. */
  refused(connection: Connection): void {
    this.#refused.set(connection.connectionId, connection);
  }

  /** Records an attempt. Returns whether the account gets a report: of a callback given up, or delivered later. */
  attempted({ latest, count }: Deliveries): boolean {
    const isNews = latest === "failed" || (latest === "delivered" && count > 1);
    if (isNews) this.#hasCallbackNews = true;
    return isNews;
  }

  /** Returns what is to be reported. */
  report({ latest }: Deliveries, attempts: () => readonly CallbackAttempt[]): TroubleReport {
    const isEnded = latest === "failed" || latest === "delivered";
    const last = this.#hasCallbackNews && isEnded ? attempts().at(-1) : undefined;
    const refused = [...this.#refused.values()];
    return {
      report: {
        ...(last !== undefined && isEnded && { callback: { state: latest, url: last.url } }),
        ...(refused.length > 0 && { refused }),
      },
      reported: () => {
        if (isEnded) this.#hasCallbackNews = false;
        for (const { connectionId } of refused) this.#refused.delete(connectionId);
      },
    };
  }
}

/** Logs the end of an execution at `now`, epoch milliseconds. */
export function logEnd(
  { executionId, accountId, origin, workflowId, model }: ExecutionSeed,
  state: MachineState,
  now: number,
): void {
  const { toolCalls, inputTokens, outputTokens } = state.usage;
  logInfo("execution", {
    executionId,
    accountId,
    origin,
    workflowId,
    model: state.model ?? model,
    status: state.status,
    statusDetail: state.statusDetail,
    steps: state.stepsCompleted,
    toolCalls,
    credits: state.creditsUsed,
    inputTokens,
    outputTokens,
    durationMs: now - state.createdAt,
    activeMs: activeMsAt(state, now),
  });
}
