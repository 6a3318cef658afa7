import * as z from "zod";
import { KEY_RANDOM_BYTES, type KeyUse, newKey } from "../accounts/key-format.ts";
import type { NewKey } from "../contract/account-resources.ts";
import type { Actor } from "../contract/actor.ts";
import {
  type ApiKeyRecord,
  apiKeyCreated,
  apiKeyRecord,
  createKeyBody,
  KEPT_ENDED_KEYS,
  MAX_KEYS,
  rotateKeyBody,
  SCOPES,
} from "../contract/keys.ts";
import { accountStub } from "../durable/stubs.ts";
import { settingsOf } from "../env.ts";
import { bytesForBase62, randomBase62, sha256Hex } from "../lib/encoding.ts";
import { last4 } from "../lib/text.ts";
import { actorOf } from "./actor.ts";
import { apiKey } from "./authentication.ts";
import { jsonBody, optionalJsonBody } from "./body.ts";
import { callOnce, callWithRetry } from "./call-with-retry.ts";
import { listRoute, type Position, pageOf } from "./list.ts";
import { HttpProblem, invalid, notFound } from "./problem.ts";
import { jsonResponse, noContent, route } from "./route.ts";

const KEYS = "/api/v1/keys";
const KEY_PREFIX = "key_";
const KEY_ID_DIGITS = 16;
/** The largest number of active keys of an account, as people read it. */
const KEY_LIMIT = MAX_KEYS.toLocaleString("en");

export const keyParams = z.object({
  keyId: z
    .string()
    .regex(/^key_[0-9A-Za-z]{16}$/)
    .describe("The id of the key: `key_` and 16 letters and digits."),
});
const auth = apiKey("keys:admin", "management");

/** A key in the examples of the API document. */
export const exampleKey: ApiKeyRecord = {
  keyId: "key_4kQ0mYb2Zt7RcX1a",
  name: "backend",
  scopes: ["executions:read", "executions:write"],
  last4: "3xYz",
  createdAt: "2026-11-20T09:30:00.000Z",
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
};

/** The created key in the examples of the API document. */
export const exampleCreated = { ...exampleKey, apiKey: `ph_live_${"0".repeat(50)}` };

const create = route({
  method: "POST",
  path: KEYS,
  operationId: "createKey",
  tag: "Keys",
  summary: "Create a key",
  description: `The response is the only one that includes the key itself. A key without \`scopes\` has all of them. An account can have ${KEY_LIMIT} active keys.`,
  auth,
  body: jsonBody(createKeyBody, { name: exampleKey.name, scopes: exampleKey.scopes }),
  response: jsonResponse(201, "The key.", apiKeyCreated, exampleCreated),
  problems: ["conflict"],
  async handler({ http, caller, body }) {
    return { value: await createKey(http.env, caller.accountId, body, actorOf(http, caller)) };
  },
});

const list = listRoute({
  path: KEYS,
  operationId: "listKeys",
  tag: "Keys",
  summary: "List keys",
  description: `Returns the account's keys, newest first, including at least the last ${KEPT_ENDED_KEYS} that expired or were revoked.`,
  auth,
  items: "keys",
  page: "KeyPage",
  item: apiKeyRecord,
  example: exampleKey,
  async read({ http, caller: { accountId }, query: { limit } }, after) {
    return keyPage(http.env, accountId, limit, after);
  },
});

const revoke = route({
  method: "DELETE",
  path: `${KEYS}/:keyId`,
  operationId: "revokeKey",
  tag: "Keys",
  summary: "Revoke a key",
  description:
    "The key stops working at once. A revoked key cannot be restored. Executions that it started continue.",
  auth,
  params: keyParams,
  response: noContent("The key is revoked."),
  problems: ["not_found"],
  async handler({ http, caller, params: { keyId } }) {
    await revokeKey(http.env, caller.accountId, keyId, actorOf(http, caller));
    return { value: undefined };
  },
});

const rotate = route({
  method: "POST",
  path: `${KEYS}/:keyId/rotate`,
  operationId: "rotateKey",
  tag: "Keys",
  summary: "Rotate a key",
  description: `Creates a key with the same name and scopes. The old key keeps working for \`overlapSeconds\`; until then both count toward the limit of ${KEY_LIMIT} keys. Expired and revoked keys cannot be rotated.`,
  auth,
  params: keyParams,
  body: optionalJsonBody(rotateKeyBody, { overlapSeconds: 3_600 }),
  response: jsonResponse(201, "The new key.", apiKeyCreated, exampleCreated),
  problems: ["not_found", "conflict"],
  async handler({ http, caller, params: { keyId }, body: { overlapSeconds } }) {
    const { accountId } = caller;
    const actor = actorOf(http, caller);
    const { secret, stored } = await generateKey(http.env, accountId);
    const reply = await callOnce(() =>
      accountStub(http.env, accountId).rotateKey(keyId, stored, overlapSeconds, actor),
    );
    if (reply.kind === "not_found") throw notFound();
    if (reply.kind === "full") throw tooManyKeys();
    return { value: { ...reply.record, apiKey: secret } };
  },
});

/** Returns a page of the keys of an existing account, the newest first. */
export async function keyPage(
  env: CloudflareEnv,
  accountId: string,
  limit: number,
  after: Position | null,
) {
  const all = await callWithRetry(() => accountStub(env, accountId).listKeys());
  const keys = all.filter(({ keyId }) => keyId.startsWith(KEY_PREFIX));
  return pageOf(keys, limit, after, ({ createdAt, keyId }) => ({
    createdAt: Date.parse(createdAt),
    id: keyId,
  }));
}

/** Revokes a key of an existing account, or throws a 404. */
export async function revokeKey(
  env: CloudflareEnv,
  accountId: string,
  keyId: string,
  actor: Actor,
): Promise<void> {
  const isKnown = await callWithRetry(() => accountStub(env, accountId).revokeKey(keyId, actor));
  if (!isKnown) throw notFound();
}

/** Creates a key of an existing account. Throws a 400 for a past expiry and a 409 for one key too many. */
export async function createKey(
  env: CloudflareEnv,
  accountId: string,
  body: z.output<typeof createKeyBody>,
  actor: Actor,
): Promise<z.infer<typeof apiKeyCreated>> {
  const expiresAt = body.expiresAt === undefined ? null : Date.parse(body.expiresAt);
  if (expiresAt !== null && expiresAt <= Date.now()) {
    throw invalid("expiresAt", "future", "must be in the future");
  }
  const { secret, stored } = await generateKey(env, accountId);
  const scopes = [...new Set(body.scopes ?? SCOPES)];
  const key = { ...stored, name: body.name, scopes, expiresAt };
  const reply = await callOnce(() => accountStub(env, accountId).createKey(key, actor));
  if (reply.kind === "full") throw tooManyKeys();
  return { ...reply.record, apiKey: secret };
}

/** A key that was just generated: the secret for its holder, the rest for the account. */
interface GeneratedKey {
  secret: string;
  stored: Pick<NewKey, "keyId" | "keyHash" | "last4">;
}

/** Generates a key of an account. */
export async function generateKey(
  env: CloudflareEnv,
  accountId: string,
  { use, prefix }: { use: KeyUse; prefix: string } = { use: "live", prefix: KEY_PREFIX },
): Promise<GeneratedKey> {
  const { ID_KEY } = settingsOf(env);
  const secret = await newKey(accountId, randomBytes(KEY_RANDOM_BYTES), ID_KEY, use);
  const stored = {
    keyId: randomId(prefix, KEY_ID_DIGITS),
    keyHash: await sha256Hex(secret),
    last4: last4(secret),
  };
  return { secret, stored };
}

/** Returns an id of this many random letters and digits behind a prefix. */
export function randomId(prefix: string, digits: number): string {
  return `${prefix}${randomBase62(randomBytes(bytesForBase62(digits)), digits)}`;
}

/** Returns cryptographically random bytes. */
export function randomBytes(length: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(length));
}

/** Returns the problem of one key too many. */
export function tooManyKeys(): HttpProblem {
  return new HttpProblem(
    "conflict",
    `The account has ${KEY_LIMIT} active keys, which is the limit. Revoke a key first.`,
  );
}

export const keyRoutes = [create, list, revoke, rotate];
