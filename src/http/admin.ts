import * as z from "zod";
import { ACCOUNT_RANDOM_BYTES, isAccountId, newAccountId } from "../accounts/keys.ts";
import {
  type AccountRecord,
  accountCreated,
  accountRecord,
  createAccountBody,
  grantBody,
  SCOPES,
  updateAccountBody,
} from "../contract/account.ts";
import { accountStub } from "../durable/stubs.ts";
import { insertAccount, listAccountIds } from "../records/accounts.ts";
import { jsonAnswer } from "./answer.ts";
import { jsonBody, noBody } from "./body.ts";
import { callWithRetry } from "./call-with-retry.ts";
import { decodeCursor } from "./cursor.ts";
import { operators } from "./guard.ts";
import { idempotencyKeyOf, keyReused, replayedHeader } from "./idempotency.ts";
import { mintKey, randomBytes } from "./new-key.ts";
import { cutPage, pageQuery } from "./page.ts";
import { notFound } from "./problem.ts";
import { nextCursorSchema, noParams, noQuery } from "./query.ts";
import { route } from "./route.ts";

export const ACCOUNTS = "/api/v1/admin/accounts";
export const accountParams = z.object({
  accountId: z.string().refine(isAccountId, "is no account id").describe("The account."),
});

const example: AccountRecord = {
  accountId: "acc_8sKd02LmQx7Z",
  name: "Acme",
  requestsPerMinute: 60,
  availableCredits: 1_000,
  reservedCredits: 0,
  consumedCredits: 0,
  createdAt: "2026-11-20T09:30:00.000Z",
};

const create = route({
  method: "POST",
  path: ACCOUNTS,
  operationId: "createAccount",
  tag: "Operators",
  summary: "Open an account with its first key, which is shown only now",
  description: "The key may do everything that the account can; the account makes others with it.",
  guard: operators,
  params: noParams,
  query: noQuery,
  body: jsonBody(createAccountBody, { name: "Acme", credits: 1_000 }),
  answer: jsonAnswer(201, "The account.", accountCreated, {
    accountId: example.accountId,
    name: example.name,
    availableCredits: 1_000,
    requestsPerMinute: 60,
    apiKey: `ph_live_${"0".repeat(50)}`,
    keyId: "key_4kQ0mYb2Zt7RcX1a",
  }),
  errors: ["unavailable"],
  async handler({ http, body }) {
    const accountId = newAccountId(randomBytes(ACCOUNT_RANDOM_BYTES));
    const { apiKey, stored } = await mintKey(accountId);
    // The list comes first: an account that is not in it would hold credits that nobody sees.
    await callWithRetry(() => insertAccount(http.env.DB, { accountId, createdAt: Date.now() }), {
      idempotent: true,
    });
    const account = {
      accountId,
      name: body.name,
      credits: body.credits,
      requestsPerMinute: body.requestsPerMinute ?? null,
      key: { ...stored, name: "first key", scopes: [...SCOPES], expiresAt: null },
    };
    const record = await callWithRetry(() => accountStub(http.env, accountId).create(account), {
      idempotent: true,
    });
    const { name, availableCredits, requestsPerMinute } = record;
    const { keyId } = stored;
    return { value: { accountId, name, availableCredits, requestsPerMinute, apiKey, keyId } };
  },
});

const list = route({
  method: "GET",
  path: ACCOUNTS,
  operationId: "listAccounts",
  tag: "Operators",
  summary: "List accounts with their balances, the newest first",
  description: "Every account of the service.",
  guard: operators,
  params: noParams,
  query: pageQuery,
  body: noBody,
  answer: jsonAnswer(
    200,
    "One page.",
    z
      .object({
        accounts: z.array(accountRecord).describe("The newest first."),
        nextCursor: nextCursorSchema,
      })
      .meta({ id: "AccountPage" }),
    { accounts: [example], nextCursor: null },
  ),
  errors: ["unavailable"],
  async handler({ http, query: { limit, cursor } }) {
    const position = cursor === undefined ? null : decodeCursor(cursor);
    const found = await callWithRetry(
      () =>
        listAccountIds(http.env.DB, {
          limit: limit + 1,
          cursor: position && { createdAt: position.createdAt, accountId: position.id },
        }),
      { idempotent: true },
    );
    const { items, nextCursor } = cutPage(found, limit, ({ createdAt, accountId }) => ({
      createdAt,
      id: accountId,
    }));
    const accounts = await Promise.all(
      items.map(({ accountId }) =>
        callWithRetry(() => accountStub(http.env, accountId).overview(), { idempotent: true }),
      ),
    );
    return { value: { accounts: accounts.filter((account) => account !== null), nextCursor } };
  },
});

const update = route({
  method: "PATCH",
  path: `${ACCOUNTS}/:accountId`,
  operationId: "updateAccount",
  tag: "Operators",
  summary: "Change an account's name or its rate limit",
  description:
    "Fields that are left out stay as they are. A new limit holds from the next request on.",
  guard: operators,
  params: accountParams,
  query: noQuery,
  body: jsonBody(updateAccountBody, { requestsPerMinute: 600 }),
  answer: jsonAnswer(200, "The account.", accountRecord, { ...example, requestsPerMinute: 600 }),
  errors: ["not_found", "unavailable"],
  async handler({ http, params: { accountId }, body: { name, requestsPerMinute } }) {
    const change = {
      ...(name !== undefined && { name }),
      ...(requestsPerMinute !== undefined && { requestsPerMinute }),
    };
    const account = await callWithRetry(() => accountStub(http.env, accountId).configure(change), {
      idempotent: true,
    });
    if (account === null) throw notFound();
    return { value: account };
  },
});

const grant = route({
  method: "POST",
  path: `${ACCOUNTS}/:accountId/credits`,
  operationId: "grantCredits",
  tag: "Operators",
  summary: "Grant credits to an account",
  description:
    "Adds to the balance. Each call grants once more, unless it repeats the Idempotency-Key of one before: then the account is answered as it is now.",
  guard: operators,
  params: accountParams,
  query: noQuery,
  body: jsonBody(grantBody, { amount: 500, note: "Invoice 1007" }),
  answer: jsonAnswer(200, "The account.", accountRecord, { ...example, availableCredits: 1_500 }),
  errors: ["not_found", "idempotency_key_reused", "unavailable"],
  requestHeaders: ["Idempotency-Key"],
  responseHeaders: ["Idempotency-Replayed"],
  async handler({ http, params: { accountId }, body: { amount, note } }) {
    const key = idempotencyKeyOf(http);
    // The space keeps an operator's key from being any other grant's id.
    const grantId = key === null ? crypto.randomUUID() : `key ${key}`;
    const reply = await callWithRetry(
      () => accountStub(http.env, accountId).grant(grantId, amount, note),
      {
        idempotent: true,
      },
    );
    if (reply.kind === "not_found") throw notFound();
    if (reply.kind === "key_reused") throw keyReused();
    return { value: reply.account, headers: replayedHeader(key !== null && reply.replayed) };
  },
});

export const adminRoutes = [create, list, update, grant];
