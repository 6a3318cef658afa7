import { apiKeyCreated, createKeyBody } from "../contract/account.ts";
import { accountStub } from "../durable/stubs.ts";
import { addKey } from "./add-key.ts";
import { ACCOUNTS, accountParams } from "./admin.ts";
import { jsonAnswer } from "./answer.ts";
import { jsonBody } from "./body.ts";
import { callWithRetry } from "./call-with-retry.ts";
import { operators } from "./guard.ts";
import { createdExample } from "./keys.ts";
import { notFound } from "./problem.ts";
import { noQuery } from "./query.ts";
import { route } from "./route.ts";

/** Makes a key for an account that has none left that may make one. */
export const createKeyOfAccount = route({
  method: "POST",
  path: `${ACCOUNTS}/:accountId/keys`,
  operationId: "createKeyOfAccount",
  tag: "Operators",
  summary: "Make a key for an account; it is shown only now",
  description:
    "For an account whose last key was revoked or lost: it could not be reached any more. Keys that it has stay as they are.",
  guard: operators,
  params: accountParams,
  query: noQuery,
  body: jsonBody(createKeyBody, { name: createdExample.name, scopes: createdExample.scopes }),
  answer: jsonAnswer(201, "The key.", apiKeyCreated, createdExample),
  errors: ["not_found", "conflict", "unavailable"],
  async handler({ http, params: { accountId }, body }) {
    const account = await callWithRetry(() => accountStub(http.env, accountId).overview(), {
      idempotent: true,
    });
    if (account === null) throw notFound();
    return { value: await addKey(http.env, accountId, body) };
  },
});
