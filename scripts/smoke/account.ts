import * as z from "zod";
import { Prompthook } from "../../src/client/prompthook.ts";
import { Admin, fetchWithin } from "./http.ts";
import type { Target } from "./options.ts";

const ACCOUNT = { name: "Smoke check", credits: 50 };
/** More than all checks together use. */
const CREDITS_NEEDED = 20;

/** A signed-in account. */
export interface SignedIn {
  detail: string;
  client: Prompthook;
  /** The key to revoke at the end, if the check created it. */
  ownKeyId: string | null;
}

/** Checks that the service and its database respond. */
export async function healthy({ url }: Target): Promise<{ detail: string }> {
  const response = await fetchWithin(new Request(`${url}/healthz`));
  const text = await response.text();
  if (!response.ok) throw new Error(`/healthz returned ${response.status}: ${text.slice(0, 200)}`);
  z.object({ status: z.literal("ok") }).parse(JSON.parse(text));
  return { detail: "the service and its database respond" };
}

/** Checks that the dashboard asks a visitor to sign in. */
export async function dashboardOpens({ url }: Target): Promise<{ detail: string }> {
  const response = await fetchWithin(new Request(`${url}/dashboard`), "follow");
  const text = await response.text();
  const type = response.headers.get("Content-Type") ?? "";
  if (!response.ok || !type.startsWith("text/html") || !text.includes("<form")) {
    throw new Error(`/dashboard returned ${response.status} and no sign-in page`);
  }
  return { detail: `${new URL(response.url).pathname} asks for a key` };
}

/** Signs in with the key, or opens an account with the operators' token. */
export async function signIn({ url, credential }: Target): Promise<SignedIn> {
  // A retry would hide a failure.
  const connect = (apiKey: string) => new Prompthook({ baseUrl: url, apiKey, maxRetries: 0 });
  if ("apiKey" in credential) {
    const client = connect(credential.apiKey);
    return { detail: `${await balance(client)} credits are left`, client, ownKeyId: null };
  }
  const account = await new Admin(url, credential.adminToken).openAccount(ACCOUNT);
  const client = connect(account.apiKey);
  await balance(client);
  const detail = `in the new account ${account.accountId}`;
  return { detail, client, ownKeyId: account.keyId };
}

/** Checks that an unknown key is rejected. */
export async function strangersAreRefused({ url }: Target): Promise<{ detail: string }> {
  const path = "/api/v1/agent/credits";
  const headers = { Authorization: `Bearer ph_live_${"0".repeat(50)}` };
  const response = await fetchWithin(new Request(url + path, { headers }));
  await response.body?.cancel();
  if (response.status === 401) return { detail: "an unknown key gets 401" };
  throw new Error(`an unknown key got ${response.status} instead of 401`);
}

async function balance(client: Prompthook): Promise<string> {
  const { availableCredits } = await client.credits();
  if (availableCredits >= CREDITS_NEEDED) return availableCredits.toLocaleString("en-GB");
  throw new Error(`the account has ${availableCredits} credits; the checks need ${CREDITS_NEEDED}`);
}
