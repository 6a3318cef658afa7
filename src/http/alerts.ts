import { type AlertRecord, alertRecord } from "../contract/alerts.ts";
import { accountStub } from "../durable/stubs.ts";
import { apiKey } from "./authentication.ts";
import { callWithRetry } from "./call-with-retry.ts";
import { listRoute, pageOf } from "./list.ts";

const example: AlertRecord = {
  type: "endpoint.failing",
  resource: { kind: "endpoint", id: `ep_${"7".repeat(40)}`, name: "shop orders" },
  since: "2026-11-20T09:30:00.000Z",
  lastAt: "2026-11-20T09:41:00.000Z",
  count: 8,
  data: {
    endpointId: `ep_${"7".repeat(40)}`,
    requests: 9,
    failed: 8,
    causes: [
      { stage: "mapping", path: "items", rule: "required", message: "is required", count: 8 },
    ],
  },
};

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
  example,
  async read({ http, caller: { accountId }, query: { limit } }, after) {
    const all = await callWithRetry(() => accountStub(http.env, accountId).alerts());
    return pageOf(all, limit, after, ({ since, type, resource }) => ({
      createdAt: Date.parse(since),
      id: `${type} ${resource.id}`.slice(0, 100),
    }));
  },
});
