import * as z from "zod";
import { accountOfKey } from "../accounts/key-format.ts";
import { caller as callerSchema, credits as creditsSchema } from "../contract/account.ts";
import { alertRecord } from "../contract/alerts.ts";
import { auditAction, auditEntry } from "../contract/audit.ts";
import { type QuotaUse, quotaUse } from "../contract/operators.ts";
import { accountStub, inboxStub } from "../durable/stubs.ts";
import { within } from "../lib/async.ts";
import { sha256Hex } from "../lib/encoding.ts";
import { mapMembers } from "../lib/json-values.ts";
import { firstOf } from "../lib/pages.ts";
import { selectAudit } from "../records/audit.ts";
import { countEndpoints } from "../records/endpoints.ts";
import { countWorkflows } from "../records/workflows.ts";
import { apiKey, apiKeyVerifiedByHandler, granted, problemOf } from "./authentication.ts";
import { AGENT } from "./executions/session.ts";
import { listQuery, listRoute, pageOf } from "./list.ts";
import { moment } from "./params.ts";
import { callWithRetry } from "./problem.ts";
import { jsonResponse, route } from "./route.ts";

const credits = route("GET", `${AGENT}/credits`, {
  operationId: "getCredits",
  summary: "Get the balance",
  description: "Returns the credits available, held and consumed, which add up to those granted.",
  auth: apiKeyVerifiedByHandler("credits:read"),
  response: jsonResponse(200, "The balance.", creditsSchema),
  async handler({ http, caller: { accountId, credential } }) {
    const reply = await callWithRetry(() => accountStub(http.env, accountId).credits(credential));
    return { value: granted(http, reply).credits };
  },
});

/** Tells the holder of a key whose it is and what it may do. */
const caller = route("GET", "/api/v1/account", {
  operationId: "getOwnAccount",
  summary: "Get the account of the key",
  description: "Returns the account of the key that you send, and the scopes of the key.",
  auth: apiKeyVerifiedByHandler(null, "management"),
  response: jsonResponse(200, "The account.", callerSchema),
  async handler({ http, caller: { accountId, credential } }) {
    const reply = await callWithRetry(() => accountStub(http.env, accountId).caller(credential));
    return { value: granted(http, reply).caller };
  },
});

/** Returns the quotas of an account with what it uses of them. */
export async function quotaUseOf(env: CloudflareEnv, accountId: string): Promise<QuotaUse> {
  const [{ quotas, used }, endpoints, workflows] = await Promise.all([
    callWithRetry(() => accountStub(env, accountId).use()),
    callWithRetry(() => countEndpoints(env.DB, accountId)),
    callWithRetry(() => countWorkflows(env.DB, accountId)),
  ]);
  const all: Record<string, number> = { ...used, endpoints, workflows };
  return quotaUse.parse(mapMembers(quotas, (limit, name) => ({ used: all[name], limit })));
}

/** The use of an account's quotas. */
const quotaUsage = route("GET", "/api/v1/usage/quotas", {
  operationId: "getQuotaUsage",
  summary: "Get the use of the quotas",
  description:
    "Returns each quota of the account with what is used of it. Operators set the quotas. Webhook requests count as the account granted them to its endpoints, which accept a few of each minute on their own; stored bytes are as the endpoints and executions last reported them.",
  auth: apiKey("credits:read", "management"),
  response: jsonResponse(200, "The quotas.", quotaUse),
  async handler({ http: { env }, caller: { accountId } }) {
    return { value: await quotaUseOf(env, accountId) };
  },
});

const ID = z.string().min(1).max(100).optional();

const audit = listRoute("/api/v1/audit", {
  operationId: "listAuditEntries",
  summary: "Read the audit log",
  description:
    "Returns who created, changed and deleted what in the account, and who signed in, newest first. An entry is written with its change or not at all, and kept for 400 days.",
  auth: apiKey("audit:read", "management"),
  query: listQuery({
    action: auditAction.optional().describe("Only this action, such as `workflow.updated`."),
    resource: ID.describe("Only what was done to the resource with this id."),
    by: ID.describe("Only what this key or member did, by its id, or by kind, such as `operator`."),
    from: moment.optional().describe("Only entries from this time on."),
    to: moment.optional().describe("Only entries before this time."),
  }),
  items: "entries",
  page: "AuditPage",
  item: auditEntry,
  async read({ http, caller: { accountId }, query: { limit, cursor: _, ...filters } }, after) {
    // One more than requested shows whether there is a next page.
    const query = { ...filters, limit: limit + 1, after: after?.id ?? null };
    const [owned, recorded] = await Promise.all([
      callWithRetry(() => accountStub(http.env, accountId).audit(query)),
      callWithRetry(() => selectAudit(http.env.DB, accountId, query)),
    ]);
    const all = [...owned, ...recorded].sort((a, b) => (a.entryId < b.entryId ? 1 : -1));
    return firstOf(all, limit, ({ at, entryId }) => ({ createdAt: Date.parse(at), id: entryId }));
  },
});

/** What is wrong in the account now. */
const alerts = listRoute("/api/v1/alerts", {
  operationId: "listAlerts",
  summary: "List what is failing",
  description:
    "Returns what is wrong now and since when, newest first: failing endpoints with the causes of the last ten minutes, hosts whose callbacks were given up, schedules that missed runs, connections whose credential was refused, low credits and quotas that are nearly used up.",
  auth: apiKey("destinations:read", "management"),
  items: "alerts",
  page: "AlertPage",
  item: alertRecord,
  async read({ http, caller: { accountId }, query: { limit } }, after) {
    const all = await callWithRetry(() => accountStub(http.env, accountId).alerts());
    return pageOf(all, limit, after, ({ since, type, resource }) => ({
      createdAt: Date.parse(since),
      id: `${type} ${resource.id}`.slice(0, 100),
    }));
  },
});

export const ownAccountRoutes = [credits, caller, quotaUsage, audit, alerts];

/** An object that waits answers by then. */
const ANSWER_MS = 10_000;

/** What a page learns of its account without reading anything. */
export interface AccountState {
  /** Whether the account, or the endpoint, has changed since the last time. */
  isChanged: boolean;
  /** The executions that wait for input, up to 100; zero where the key may not read them. */
  waiting: number;
}

/** Waits for a change, at most `waitMs`; the first time it answers at once. */
export type Follow = (waitMs: number) => Promise<AccountState>;

/**
 * Follows the account of a key, and one of its endpoints if `endpointId` is given, by marks that their objects
 * have in memory. Each call counts as a read of the dashboard; a key that is not admitted is thrown as its
 * problem.
 */
export function followAccount(
  env: CloudflareEnv,
  apiKey: string,
  endpointId: string | null = null,
): Follow {
  let waiting = 0;
  const account = followed("the account", async (seen, waitMs) => {
    const keyHash = await sha256Hex(apiKey);
    const credential = { keyHash, scope: null, rateClass: "management", isPageRead: true } as const;
    const reply = await callWithRetry(() =>
      accountStub(env, accountOfKey(apiKey) ?? "").changes(credential, seen, waitMs),
    );
    if (reply.kind !== "changes") throw problemOf(reply);
    ({ waiting } = reply);
    return reply.mark;
  });
  const marks = [account];
  if (endpointId !== null) {
    const inbox = () => inboxStub(env, endpointId);
    marks.push(
      followed("the inbox", (seen, waitMs) => callWithRetry(() => inbox().changes(seen, waitMs))),
    );
  }
  let isFirst = true;
  return async (waitMs) => {
    const turns = marks.map((next) => next(waitMs));
    const isChanged = isFirst
      ? (await Promise.all(turns)).includes(true)
      : await Promise.race(turns);
    isFirst = false;
    return { isChanged, waiting };
  };
}

/**
 * Returns a function that waits for the next mark of an object and returns whether it has changed. A wait that
 * was begun goes on while another object answers.
 */
function followed(name: string, ask: (seen: string | null, waitMs: number) => Promise<string>) {
  let seen: string | null = null;
  let turn: Promise<boolean> | null = null;
  const wait = async (waitMs: number): Promise<boolean> => {
    try {
      const mark = await within(name, waitMs + ANSWER_MS, ask(seen, seen === null ? 0 : waitMs));
      const isChanged = mark !== seen;
      seen = mark;
      return isChanged;
    } finally {
      turn = null;
    }
  };
  return (waitMs: number): Promise<boolean> => {
    turn ??= wait(waitMs);
    return turn;
  };
}
