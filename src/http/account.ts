import * as z from "zod";
import { caller as callerSchema, credits as creditsSchema } from "../contract/account.ts";
import { alertRecord } from "../contract/alerts.ts";
import { auditAction, auditEntry } from "../contract/audit.ts";
import { type QuotaUse, quotaUse } from "../contract/quotas.ts";
import { accountStub } from "../durable/stubs.ts";
import { firstOf } from "../lib/pages.ts";
import { selectAudit } from "../records/audit.ts";
import { countEndpoints } from "../records/endpoints.ts";
import { countWorkflows } from "../records/workflows.ts";
import { apiKey, apiKeyVerifiedByHandler, granted } from "./authentication.ts";
import { AGENT } from "./executions/session.ts";
import { listQuery, listRoute, pageOf } from "./list.ts";
import { moment } from "./params.ts";
import { callWithRetry } from "./problem.ts";
import { jsonResponse, route } from "./route.ts";

export const credits = route("GET", `${AGENT}/credits`, {
  operationId: "getCredits",
  summary: "Get the balance",
  description:
    "Returns the credits that are available, held for active executions, and consumed. The three always add up to the credits granted.",
  auth: apiKeyVerifiedByHandler("credits:read"),
  response: jsonResponse(200, "The balance.", creditsSchema),
  async handler({ http, caller: { accountId, credential } }) {
    const reply = await callWithRetry(() => accountStub(http.env, accountId).credits(credential));
    return { value: granted(http, reply).credits };
  },
});

/** Tells the holder of a key whose it is and what it may do. */
export const caller = route("GET", "/api/v1/account", {
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
  const use = Object.entries(quotas).map(([name, limit]) => [name, { used: all[name], limit }]);
  return quotaUse.parse(Object.fromEntries(use));
}

/** The use of an account's quotas. */
export const quotaUsage = route("GET", "/api/v1/usage/quotas", {
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

export const audit = listRoute("/api/v1/audit", {
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
export const alerts = listRoute("/api/v1/alerts", {
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
