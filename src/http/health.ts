import * as z from "zod";
import type { AccountVitals } from "../contract/account.ts";
import { type ServiceHealth, serviceHealth } from "../contract/operators.ts";
import { accountStub, inboxStub, slotHostStub } from "../durable/stubs.ts";
import { settingsOf } from "../env.ts";
import { mapConcurrently, within } from "../lib/async.ts";
import { slotOf } from "../lib/execution-id.ts";
import { logError, logWarning } from "../lib/log.ts";
import { listAccounts } from "../records/accounts.ts";
import { probeDatabases } from "../records/databases.ts";
import { allEndpointIds } from "../records/endpoints.ts";
import { countOutcomes, type OutcomeCount } from "../records/executions.ts";
import { anyone, adminToken as auth } from "./authentication.ts";
import { decodeCursor, encodeCursor, listQuery } from "./list.ts";
import { callWithRetry, unavailable } from "./problem.ts";
import { jsonResponse, route } from "./route.ts";

const DEADLINE_MS = 2_000;

export const health = route("GET", "/healthz", {
  operationId: "getHealth",
  summary: "Check the health of the service",
  description: "Returns 503 unless each database responds within two seconds and has its tables.",
  auth: anyone,
  // Monitors add parameters of their own to bypass caches.
  query: z.object({}),
  response: jsonResponse(200, "The service is healthy.", z.object({ status: z.literal("ok") })),
  problems: ["unavailable"],
  async handler({ http }) {
    // Without its variables no other route answers.
    settingsOf(http.env);
    try {
      await within("the database", DEADLINE_MS, probeDatabases(http.env));
    } catch (error) {
      logError("database not ready", {}, error);
      throw unavailable("The database does not respond, or lacks tables.", 5);
    }
    return { value: { status: "ok" as const } };
  },
});

/** Objects that are asked at the same time. */
const CONCURRENCY = 8;
/** Hosts of an account that are asked for their callbacks: what keeps callbacks back meets all of them. */
const HOSTS_ASKED = 32;
const HOUR_MS = 3_600_000;
/** Cloudflare bills an object for this much memory while it works. */
const GIGABYTES_PER_OBJECT = 0.128;

/** What is known of the accounts of a page. */
export interface Watched {
  accounts: readonly AccountVitals[];
  /** When the oldest request of each endpoint was accepted that is not started. */
  queuedSince: readonly number[];
  /** Since when the callback of each host is due that waits longest. */
  callbacksSince: readonly number[];
  outcomes: readonly OutcomeCount[];
  /** The accounts that did not answer. */
  silent: number;
}

type Rule = [name: string, value: number, warning: number, failing: number, meaning: string];

/** Judges what is known at a time in epoch milliseconds. */
export function healthOf(
  { accounts, queuedSince, callbacksSince, outcomes, silent }: Watched,
  now: number,
): Omit<ServiceHealth, "accounts" | "nextCursor"> {
  const most = (values: number[]) => Math.max(0, ...values);
  const total = (values: number[]) => values.reduce((sum, value) => sum + value, 0);
  const seconds = (since: readonly (number | null)[]) =>
    most(since.map((at) => Math.round((now - (at ?? now)) / 1_000)));
  const hosts = total(accounts.map((each) => each.hosts));
  const failed = outcomes.filter(({ status }) => status === "failed");
  const errors: Record<string, number> = {};
  for (const { detail, count } of failed) errors[detail] = (errors[detail] ?? 0) + count;
  const all = total(outcomes.map(({ count }) => count));
  const failedShare = (100 * total(failed.map(({ count }) => count))) / Math.max(1, all);
  const duration = Math.round(hosts * GIGABYTES_PER_OBJECT * 3_600);
  const unstarted = seconds(accounts.map(({ unstartedSince }) => unstartedSince));
  const fullest = Math.round(100 * most(accounts.map(({ fullness }) => fullness)));
  const rules: Rule[] = [
    ["duration", duration, 100_000, 1_000_000, "GB-s an hour of hosts that run, at this load"],
    ["queueLag", seconds(queuedSince), 60, 600, "seconds that the oldest webhook waits"],
    ["callbackLag", seconds(callbacksSince), 60, 600, "seconds that the oldest due callback waits"],
    ["oldestUnstarted", unstarted, 60, 600, "seconds that the oldest execution waits to start"],
    ["hosts", most(accounts.map((each) => each.hosts)), 3_000, 4_096, "hosts of one account"],
    ["liveExecutions", fullest, 80, 100, "percent of its quota that an account runs"],
    ["rows", total(accounts.map(({ rows }) => rows)), 10_000, 100_000, "rows that D1 lacks"],
    ["failures", Math.round(failedShare), 10, 50, "percent of the last hour that failed"],
    ["internalErrors", errors.internal_error ?? 0, 1, 10, "internal errors in the last hour"],
    ["silent", silent, 1, 5, "accounts that do not answer, or an endpoint of theirs"],
  ];
  const checks = rules.map(([name, value, warning, failing, meaning]) => {
    const verdict = value >= failing ? "failing" : value >= warning ? "warning" : "ok";
    return { name, value, warning, failing, verdict, meaning } as const;
  });
  const worst = (["failing", "warning", "ok"] as const).find((verdict) =>
    checks.some((check) => check.verdict === verdict),
  );
  const liveExecutions = total(accounts.map(({ live }) => live));
  return { verdict: worst ?? "ok", checks, liveExecutions, hosts, errors };
}

/** Says how the service does. */
export const serviceHealthRoute = route("GET", "/api/v1/admin/health", {
  operationId: "getServiceHealth",
  summary: "Check what operators watch",
  description:
    "Asks a page of accounts and their endpoints what waits and what runs, and judges it. What is not `ok` is logged, so that alerts see it: poll this each few minutes.",
  auth,
  query: listQuery({}),
  response: jsonResponse(200, "The checks.", serviceHealth),
  async handler({ http: { env }, query: { limit, cursor } }) {
    const after = cursor === undefined ? null : decodeCursor(cursor);
    const { items, next } = await callWithRetry(() => listAccounts(env.DB, after, limit));
    const now = Date.now();
    const ids = items.map(({ id }) => id);
    const outcomes = await callWithRetry(() => countOutcomes(env, ids, now - HOUR_MS));
    const queuedSince: number[] = [];
    const callbacksSince: number[] = [];
    let silent = 0;
    const answers = await mapConcurrently(CONCURRENCY, ids, async (id) => {
      try {
        for (const endpointId of await callWithRetry(() => allEndpointIds(env.DB, id))) {
          const since = await callWithRetry(() => inboxStub(env, endpointId).queuedSince());
          if (since !== null) queuedSince.push(since);
        }
        const vitals = await callWithRetry(() => accountStub(env, id).vitals());
        for (const slot of hostsOf(id, outcomes, vitals)) {
          const since = await callWithRetry(() => slotHostStub(env, id, slot).callbacksSince());
          if (since !== null) callbacksSince.push(since);
        }
        return vitals;
      } catch (error) {
        logWarning("health not known", { accountId: id }, error);
        silent += 1;
        return null;
      }
    });
    const accounts = answers.filter((each) => each !== null);
    const health = healthOf({ accounts, queuedSince, callbacksSince, outcomes, silent }, now);
    for (const { name: check, value, verdict } of health.checks) {
      if (verdict !== "ok") logWarning("health", { check, value, verdict });
    }
    return { value: { ...health, accounts: ids.length, nextCursor: next && encodeCursor(next) } };
  },
});

/** Returns the slots of the hosts that may owe callbacks: executions of theirs are live, or are of the last hour. */
function hostsOf(
  accountId: string,
  outcomes: readonly OutcomeCount[],
  vitals: AccountVitals | null,
): number[] {
  const recent = outcomes.filter((outcome) => outcome.accountId === accountId);
  const slots = [...recent.map(({ executionId }) => slotOf(executionId)), ...(vitals?.slots ?? [])];
  return [...new Set(slots)].slice(0, HOSTS_ASKED);
}
