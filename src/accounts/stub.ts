import type { AccountApi } from "../contract/account.ts";

/**
 * The object of one account. The class implements `AccountApi`, all of it plain data and promises;
 * the platform's own stub type cannot express recursive JSON, which is why it is named anew here.
 */
export function accountStub(env: CloudflareEnv, accountId: string): AccountApi {
  return env.ACCOUNT.getByName(accountId) as unknown as AccountApi;
}
