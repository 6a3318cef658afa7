import * as z from "zod";
import { errorOf } from "../client/error.ts";
import { Prompthook } from "../client/prompthook.ts";
import type { Fetch } from "../client/transport.ts";
import { apiKeyCreated } from "../contract/keys.ts";
import { accountCreated, FIRST_ACCOUNT } from "../contract/operators.ts";

const accountPage = z.object({ accounts: z.array(z.unknown()) });

/** What the operators' token opened: the key of the first account, or nothing where there are accounts. */
export type FirstAccount =
  | { kind: "opened"; created: z.output<typeof apiKeyCreated> }
  | { kind: "exists" };

/**
 * Opens the first account of a service for its operator, who has deployed it without a terminal. Returns null
 * if the token is not the operators'.
 */
export async function openFirstAccount(
  fetch: Fetch,
  origin: string,
  token: string,
): Promise<FirstAccount | null> {
  const accounts = new URL("/api/v1/admin/accounts", origin);
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const listed = await fetch(new Request(`${accounts}?limit=1`, { headers }));
  if (listed.status === 401) return null;
  if (!listed.ok) throw await errorOf(listed, Date.now());
  if (accountPage.parse(await listed.json()).accounts.length > 0) return { kind: "exists" };
  const body = JSON.stringify(FIRST_ACCOUNT);
  const opened = await fetch(new Request(accounts, { method: "POST", headers, body }));
  if (!opened.ok) throw await errorOf(opened, Date.now());
  const { apiKey, keyId } = accountCreated.parse(await opened.json());
  const api = new Prompthook({ baseUrl: origin, apiKey, fetch, maxRetries: 0 });
  const record = (await api.keys.list()).keys.find((key) => key.keyId === keyId);
  return { kind: "opened", created: apiKeyCreated.parse({ ...record, apiKey }) };
}
