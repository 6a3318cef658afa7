import { env } from "cloudflare:workers";
import { settingsOf } from "../../../src/env.ts";
import { openEndpoint } from "../../../src/intake/secrets.ts";
import { loadEndpoint } from "../../../src/records/endpoints.ts";
import { newAccount, send } from "./client.ts";
import { WEBHOOKS } from "./endpoints.ts";

export const TOKEN = "the-token-of-the-shop-9qX4";
export const KEY = "the-key-of-the-shop-Zw3P";
export const VALUE = "the-value-of-a-header-L0pK";
export const auth = {
  token: { secret: TOKEN },
  hmac: { preset: "github", secret: KEY },
  headers: [{ name: "X-Env", value: VALUE }],
};

/** An account whose endpoints' secrets a test looks at. */
export async function openSafe() {
  const account = await newAccount();
  return {
    account,
    rotate: (endpointId: string, body?: Record<string, unknown>) =>
      send(`${WEBHOOKS}/${endpointId}/rotate-secret`, {
        method: "POST",
        token: account.apiKey,
        body,
      }),
    /** The secrets as the checks see them. */
    async opened(endpointId: string) {
      const config = await loadEndpoint(env.DB, account.accountId, endpointId);
      if (config === null) throw new Error("there is no such endpoint");
      return await openEndpoint(config, settingsOf(env));
    },
  };
}
