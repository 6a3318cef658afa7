import * as z from "zod";
import { Prompthook } from "../../src/client/prompthook.ts";
import { Admin, fetchWithin } from "./http.ts";
import type { Target } from "./options.ts";

const ACCOUNT = { name: "Smoke check", credits: 50 };
/** More than all checks together use. */
const CREDITS_NEEDED = 20;

/** An account that is signed in. */
export interface SignedIn {
  detail: string;
  client: Prompthook;
  /** The key to revoke in the end, where it was made for this. */
  ownKeyId: string | null;
}

/** The service and its database answer. */
export async function healthy({ url }: Target): Promise<{ detail: string }> {
  const response = await fetchWithin(new Request(`${url}/healthz`));
  const text = await response.text();
  if (!response.ok) throw new Error(`/healthz answered ${response.status}: ${text.slice(0, 200)}`);
  z.object({ status: z.literal("ok") }).parse(JSON.parse(text));
  return { detail: "the service and its database answer" };
}

/** The dashboard shows whoever is not signed in the way in. */
export async function dashboardOpens({ url }: Target): Promise<{ detail: string }> {
  const response = await fetchWithin(new Request(`${url}/dashboard`), "follow");
  const text = await response.text();
  const type = response.headers.get("Content-Type") ?? "";
  if (!response.ok || !type.startsWith("text/html") || !text.includes("<form")) {
    throw new Error(`/dashboard answered ${response.status} and no page to sign in`);
  }
  return { detail: `${new URL(response.url).pathname} asks for a key` };
}

/** A key opens its account; without a key, the operator's token opens an account for this. */
export async function signIn({ url, credential }: Target): Promise<SignedIn> {
  // What fails once is told: a check that tried again would hide it.
  const connect = (apiKey: string) => new Prompthook({ baseUrl: url, apiKey, maxRetries: 0 });
  if ("apiKey" in credential) {
    const client = connect(credential.apiKey);
    return { detail: `${await balance(client)} credits are left`, client, ownKeyId: null };
  }
  const account = await new Admin(url, credential.adminToken).openAccount(ACCOUNT);
  const client = connect(account.apiKey);
  await balance(client);
  const detail = `in an account opened for this, ${account.accountId}`;
  return { detail, client, ownKeyId: account.keyId };
}

/** A key that nobody has is refused. */
export async function strangersAreRefused({ url }: Target): Promise<{ detail: string }> {
  const path = "/api/v1/agent/credits";
  const headers = { Authorization: `Bearer ph_live_${"0".repeat(50)}` };
  const response = await fetchWithin(new Request(url + path, { headers }));
  await response.body?.cancel();
  if (response.status === 401) return { detail: "a key that nobody has is answered 401" };
  throw new Error(`a key that nobody has was answered ${response.status} instead of 401`);
}

async function balance(client: Prompthook): Promise<string> {
  const { availableCredits } = await client.credits();
  if (availableCredits >= CREDITS_NEEDED) return availableCredits.toLocaleString("en-GB");
  throw new Error(`the account has ${availableCredits} credits; the check takes ${CREDITS_NEEDED}`);
}
