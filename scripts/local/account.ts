import type * as z from "zod";
import { parseKey } from "../../src/accounts/keys.ts";
import { apiKeyCreated } from "../../src/contract/account.ts";
import { accountCreated } from "../../src/contract/operators.ts";

/** The credits of the account `local`. */
const CREDITS = 100_000;

/** The operators' side of the service that was just started. */
export interface Operators {
  url: string;
  adminToken: string;
}

/**
 * A key of the account `local` that works: the `known` one, or a new one where that was revoked or
 * rotated since; without any, the account is opened.
 */
export async function localKey(operators: Operators, known: string | null): Promise<string> {
  const accountId = known === null ? null : (parseKey(known)?.accountId ?? null);
  if (known === null || accountId === null) {
    const account = { name: "local", credits: CREDITS };
    return (await ask(operators, "", account, accountCreated)).apiKey;
  }
  if (await works(operators.url, known)) return known;
  return (await ask(operators, `/${accountId}/keys`, { name: "npm start" }, apiKeyCreated)).apiKey;
}

async function works(url: string, apiKey: string): Promise<boolean> {
  const { status } = await fetch(`${url}/api/v1/agent/credits`, {
    headers: { Authorization: `Bearer ${apiKey}` },
  });
  return status !== 401;
}

async function ask<Schema extends z.ZodType>(
  { url, adminToken }: Operators,
  path: string,
  body: object,
  answer: Schema,
): Promise<z.output<Schema>> {
  const response = await fetch(`${url}/api/v1/admin/accounts${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${adminToken}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`The account's key was not made: ${text}`);
  return answer.parse(JSON.parse(text));
}
