import * as z from "zod";
import {
  type ApiKeyRecord,
  apiKeyCreated,
  apiKeyRecord,
  createKeyBody,
  KEPT_ENDED_KEYS,
  rotateKeyBody,
} from "../contract/account.ts";
import { accountStub } from "../durable/stubs.ts";
import { addKey, KEY_LIMIT, tooManyKeys } from "./add-key.ts";
import { jsonAnswer, noContent } from "./answer.ts";
import { jsonBody, noBody, optionalJsonBody } from "./body.ts";
import { callWithRetry } from "./call-with-retry.ts";
import { keyWith } from "./guard.ts";
import { mintKey } from "./new-key.ts";
import { pageOf, pageQuery } from "./page.ts";
import { notFound } from "./problem.ts";
import { nextCursorSchema, noParams, noQuery } from "./query.ts";
import { route } from "./route.ts";

const KEYS = "/api/v1/keys";
const keyParams = z.object({
  keyId: z
    .string()
    .regex(/^key_[0-9A-Za-z]{16}$/)
    .describe("The key: `key_` and 16 letters and digits."),
});
const guard = keyWith("keys:admin", "management");

const example: ApiKeyRecord = {
  keyId: "key_4kQ0mYb2Zt7RcX1a",
  name: "backend",
  scopes: ["executions:read", "executions:write"],
  last4: "3xYz",
  createdAt: "2026-11-20T09:30:00.000Z",
  expiresAt: null,
  revokedAt: null,
  lastUsedAt: null,
};
export const createdExample = { ...example, apiKey: `ph_live_${"0".repeat(50)}` };

const create = route({
  method: "POST",
  path: KEYS,
  operationId: "createKey",
  tag: "Keys",
  summary: "Make a key; it is shown only now",
  description: `It may do what its scopes say; without any it may do everything. At most ${KEY_LIMIT} keys of an account may work at the same time.`,
  guard,
  params: noParams,
  query: noQuery,
  body: jsonBody(createKeyBody, { name: example.name, scopes: example.scopes }),
  answer: jsonAnswer(201, "The key.", apiKeyCreated, createdExample),
  errors: ["conflict"],
  async handler({ http, caller: { accountId }, body }) {
    return { value: await addKey(http.env, accountId, body) };
  },
});

const list = route({
  method: "GET",
  path: KEYS,
  operationId: "listKeys",
  tag: "Keys",
  summary: "List the account's keys, the newest first",
  description: `Also those that have expired or were revoked, at least the last ${KEPT_ENDED_KEYS}.`,
  guard,
  params: noParams,
  query: pageQuery,
  body: noBody,
  answer: jsonAnswer(
    200,
    "One page.",
    z
      .object({
        keys: z.array(apiKeyRecord).describe("The newest first."),
        nextCursor: nextCursorSchema,
      })
      .meta({ id: "KeyPage" }),
    { keys: [example], nextCursor: null },
  ),
  errors: [],
  async handler({ http, caller: { accountId }, query }) {
    const all = await callWithRetry(() => accountStub(http.env, accountId).listKeys(), {
      idempotent: true,
    });
    const { items, nextCursor } = pageOf(all, query, ({ createdAt, keyId }) => ({
      createdAt: Date.parse(createdAt),
      id: keyId,
    }));
    return { value: { keys: items, nextCursor } };
  },
});

const revoke = route({
  method: "DELETE",
  path: `${KEYS}/:keyId`,
  operationId: "revokeKey",
  tag: "Keys",
  summary: "Revoke a key: it stops working at once",
  description: "There is no way back. Executions that were started with it go on.",
  guard,
  params: keyParams,
  query: noQuery,
  body: noBody,
  answer: noContent("Revoked."),
  errors: ["not_found"],
  async handler({ http, caller: { accountId }, params: { keyId } }) {
    const known = await callWithRetry(() => accountStub(http.env, accountId).revokeKey(keyId), {
      idempotent: true,
    });
    if (!known) throw notFound();
    return { value: undefined };
  },
});

const rotate = route({
  method: "POST",
  path: `${KEYS}/:keyId/rotate`,
  operationId: "rotateKey",
  tag: "Keys",
  summary: "Replace a key by a new one with the same scopes",
  description: `The old key works for overlapSeconds more. One that has expired or was revoked cannot be replaced. During the overlap both count among the ${KEY_LIMIT} keys.`,
  guard,
  params: keyParams,
  query: noQuery,
  body: optionalJsonBody(rotateKeyBody, { overlapSeconds: 3_600 }),
  answer: jsonAnswer(201, "The new key.", apiKeyCreated, createdExample),
  errors: ["not_found", "conflict"],
  async handler({ http, caller: { accountId }, params: { keyId }, body: { overlapSeconds } }) {
    const { apiKey, stored } = await mintKey(accountId);
    const reply = await callWithRetry(
      () => accountStub(http.env, accountId).rotateKey(keyId, stored, overlapSeconds),
      { idempotent: false },
    );
    if (reply.kind === "not_found") throw notFound();
    if (reply.kind === "full") throw tooManyKeys();
    return { value: { ...reply.record, apiKey } };
  },
});

export const keyRoutes = [create, list, revoke, rotate];
