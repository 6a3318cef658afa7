import * as z from "zod";
import { type AuditEntry, auditAction, auditEntry } from "../contract/audit.ts";
import { accountStub } from "../durable/stubs.ts";
import { selectAudit } from "../records/audit.ts";
import { apiKey } from "./authentication.ts";
import { callWithRetry } from "./call-with-retry.ts";
import { firstOf, listQuery, listRoute } from "./list.ts";
import { moment } from "./query.ts";

const example: AuditEntry = {
  entryId: "aud_01935a2b4c5d9f3e2a71c048",
  at: "2026-11-20T09:40:00.000Z",
  by: { kind: "member", id: "mem_4kQ0mYb2Zt7RcX1a", name: "Ada" },
  action: "workflow.updated",
  resource: { kind: "workflow", id: "wf_8sKd02LmQx7Z4kQ0mYb2", name: "Order check" },
  detail: { revision: 3 },
  requestId: "5f1d1f0e-6a53-4d2c-9a41-1f2b7c3d4e5f",
};

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
  example,
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
