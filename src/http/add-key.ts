import type * as z from "zod";
import { type apiKeyCreated, type createKeyBody, MAX_KEYS, SCOPES } from "../contract/account.ts";
import { accountStub } from "../durable/stubs.ts";
import { callWithRetry } from "./call-with-retry.ts";
import { mintKey } from "./new-key.ts";
import { HttpProblem, invalid } from "./problem.ts";

/** How many keys of an account may work at the same time, as people read it. */
export const KEY_LIMIT = MAX_KEYS.toLocaleString("en");

/** Makes a key of an account that exists. Throws a 400 for one that has ended, a 409 for one too many. */
export async function addKey(
  env: CloudflareEnv,
  accountId: string,
  body: z.output<typeof createKeyBody>,
): Promise<z.infer<typeof apiKeyCreated>> {
  const expiresAt = body.expiresAt === undefined ? null : Date.parse(body.expiresAt);
  if (expiresAt !== null && expiresAt <= Date.now()) {
    throw invalid("expiresAt", "future", "must lie in the future");
  }
  const { apiKey, stored } = await mintKey(accountId);
  const scopes = [...new Set(body.scopes ?? SCOPES)];
  const key = { ...stored, name: body.name, scopes, expiresAt };
  const reply = await callWithRetry(() => accountStub(env, accountId).createKey(key), {
    idempotent: false,
  });
  if (reply.kind === "full") throw tooManyKeys();
  return { ...reply.record, apiKey };
}

export function tooManyKeys(): HttpProblem {
  return new HttpProblem(
    "conflict",
    `At most ${KEY_LIMIT} keys of an account may work at the same time; revoke one first.`,
  );
}
