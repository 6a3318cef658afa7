import { credits as creditsSchema } from "../contract/account.ts";
import { accountStub } from "../durable/stubs.ts";
import { jsonAnswer } from "./answer.ts";
import { noBody } from "./body.ts";
import { callWithRetry } from "./call-with-retry.ts";
import { AGENT } from "./executions/ids.ts";
import { granted, keyCheckedByAct } from "./guard.ts";
import { noParams, noQuery } from "./query.ts";
import { route } from "./route.ts";

export const credits = route({
  method: "GET",
  path: `${AGENT}/credits`,
  operationId: "getCredits",
  tag: "Credits",
  summary: "Read the account's balance",
  description:
    "What is available, what executions under way hold, and what was used. The three always add up to what was granted.",
  guard: keyCheckedByAct("credits:read"),
  params: noParams,
  query: noQuery,
  body: noBody,
  answer: jsonAnswer(200, "The balance.", creditsSchema, {
    availableCredits: 980,
    reservedCredits: 20,
    consumedCredits: 0,
    updatedAt: "2026-11-20T09:30:00.000Z",
  }),
  errors: [],
  async handler({ http, caller: { accountId, credential } }) {
    const reply = await callWithRetry(() => accountStub(http.env, accountId).credits(credential), {
      idempotent: true,
    });
    return { value: granted(http, reply).credits };
  },
});
