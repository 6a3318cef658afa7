import { credits as creditsSchema } from "../contract/account.ts";
import { accountStub } from "../durable/stubs.ts";
import { apiKeyVerifiedByHandler, granted } from "./authentication.ts";
import { callWithRetry } from "./call-with-retry.ts";
import { AGENT } from "./executions/session.ts";
import { jsonResponse, route } from "./route.ts";

export const credits = route("GET", `${AGENT}/credits`, {
  operationId: "getCredits",
  summary: "Get the balance",
  description:
    "Returns the credits that are available, reserved by active executions, and consumed. The three always add up to the credits granted.",
  auth: apiKeyVerifiedByHandler("credits:read"),
  response: jsonResponse(200, "The balance.", creditsSchema, {
    availableCredits: 980,
    reservedCredits: 20,
    consumedCredits: 0,
    updatedAt: "2026-11-20T09:30:00.000Z",
  }),
  async handler({ http, caller: { accountId, credential } }) {
    const reply = await callWithRetry(() => accountStub(http.env, accountId).credits(credential));
    return { value: granted(http, reply).credits };
  },
});
