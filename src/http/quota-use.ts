import { DEFAULT_QUOTAS, type QuotaUse, quotaUse } from "../contract/quotas.ts";
import { accountStub } from "../durable/stubs.ts";
import { countEndpoints } from "../records/endpoints.ts";
import { countWorkflows } from "../records/workflows.ts";
import { apiKey } from "./authentication.ts";
import { callWithRetry } from "./call-with-retry.ts";
import { jsonResponse, route } from "./route.ts";

/** The use of the quotas in the examples of the API document. */
export const EXAMPLE_USE: QuotaUse = {
  endpoints: { used: 3, limit: DEFAULT_QUOTAS.endpoints },
  workflows: { used: 2, limit: DEFAULT_QUOTAS.workflows },
  storedBytes: { used: 81_920, limit: DEFAULT_QUOTAS.storedBytes },
  activeExecutions: { used: 4, limit: DEFAULT_QUOTAS.activeExecutions },
  webhookRequestsPerMinute: { used: 0, limit: DEFAULT_QUOTAS.webhookRequestsPerMinute },
};

/** Returns the quotas of an account with what it uses of them. */
export async function quotaUseOf(env: CloudflareEnv, accountId: string): Promise<QuotaUse> {
  const [{ quotas, used }, endpoints, workflows] = await Promise.all([
    callWithRetry(() => accountStub(env, accountId).use()),
    callWithRetry(() => countEndpoints(env.DB, accountId)),
    callWithRetry(() => countWorkflows(env.DB, accountId)),
  ]);
  return {
    endpoints: { used: endpoints, limit: quotas.endpoints },
    workflows: { used: workflows, limit: quotas.workflows },
    storedBytes: { used: used.storedBytes, limit: quotas.storedBytes },
    activeExecutions: { used: used.activeExecutions, limit: quotas.activeExecutions },
    webhookRequestsPerMinute: {
      used: used.webhookRequestsPerMinute,
      limit: quotas.webhookRequestsPerMinute,
    },
  };
}

/** The use of an account's quotas. */
export const quotaUsage = route("GET", "/api/v1/usage/quotas", {
  operationId: "getQuotaUsage",
  summary: "Get the use of the quotas",
  description:
    "Returns each quota of the account with what is used of it. Operators set the quotas. Webhook requests count as the account granted them to its endpoints, which accept a few of each minute on their own; stored bytes are as the endpoints and executions last reported them.",
  auth: apiKey("credits:read", "management"),
  response: jsonResponse(200, "The quotas.", quotaUse, EXAMPLE_USE),
  async handler({ http: { env }, caller: { accountId } }) {
    return { value: await quotaUseOf(env, accountId) };
  },
});
