import { caller as callerSchema } from "../contract/account.ts";
import { SCOPES } from "../contract/keys.ts";
import { accountStub } from "../durable/stubs.ts";
import { apiKeyVerifiedByHandler, granted } from "./authentication.ts";
import { callWithRetry } from "./call-with-retry.ts";
import { jsonResponse, route } from "./route.ts";

/** Tells the holder of a key whose it is and what it may do. */
export const caller = route("GET", "/api/v1/account", {
  operationId: "getOwnAccount",
  summary: "Get the account of the key",
  description: "Returns the account of the key that you send, and the scopes of the key.",
  auth: apiKeyVerifiedByHandler(null, "management"),
  response: jsonResponse(200, "The account.", callerSchema, {
    accountId: "acc_4kQ0mYb2Zt7RcX1a",
    name: "Harbour Lane Tea",
    key: { keyId: "key_4kQ0mYb2Zt7RcX1a", name: "backend", scopes: [...SCOPES] },
    by: { kind: "key", id: "key_4kQ0mYb2Zt7RcX1a", name: "backend" },
  }),
  async handler({ http, caller: { accountId, credential } }) {
    const reply = await callWithRetry(() => accountStub(http.env, accountId).caller(credential));
    return { value: granted(http, reply).caller };
  },
});
