import type * as z from "zod";
import { ACCOUNT_RANDOM_BYTES, accountOfKey, newAccountId } from "../../accounts/key-format.ts";
import { OPERATORS } from "../../contract/actor.ts";
import { apiKeyCreated, createKeyBody, SCOPES } from "../../contract/keys.ts";
import {
  type AccountDetails,
  type AccountOverview,
  accountCreated,
  accountDetails,
  accountRecord,
  createAccountBody,
  executionOwner,
  grantBody,
  revokedKey,
  revokeKeyBody,
  updateAccountBody,
} from "../../contract/operators.ts";
import { accountStub } from "../../durable/stubs.ts";
import { settingsOf } from "../../env.ts";
import { mapConcurrently } from "../../lib/async.ts";
import { sha256Hex } from "../../lib/encoding.ts";
import type { Place } from "../../lib/place.ts";
import { insertAccount, listAccounts } from "../../records/accounts.ts";
import { allDatabases, databaseNamed } from "../../records/databases.ts";
import { ownerOfExecution } from "../../records/executions.ts";
import { quotaUseOf } from "../account.ts";
import { adminToken as auth } from "../authentication.ts";
import { operatorOf } from "../context.ts";
import { idempotencyKeyOf, keyReused, replayedHeader } from "../headers.ts";
import { createKey, generateKey } from "../keys.ts";
import { callWithRetry, conflict, foundOr404, invalid, notFound } from "../problem.ts";
import { randomBytes, resource } from "../resource.ts";
import { jsonBody, jsonResponse, route } from "../route.ts";

export const ACCOUNTS = "/api/v1/admin/accounts";

const account = resource({
  path: ACCOUNTS,
  name: "Account",
  one: "an account",
  id: "accountId",
  record: accountRecord,
  reader: auth,
});

const create = route("POST", ACCOUNTS, {
  operationId: "createAccount",
  summary: "Create an account",
  description:
    "Creates an account and its first key, which has all scopes. The response is the only one that includes the key. `region` and `jurisdiction` decide where the account, its executions and its endpoints are; neither can be changed later.",
  auth,
  body: jsonBody(createAccountBody, { name: "Acme", credits: 1_000 }),
  response: jsonResponse(201, "The account.", accountCreated),
  async handler({ http, body }) {
    const accountId = newAccountId(randomBytes(ACCOUNT_RANDOM_BYTES), placeIn(http.env, body));
    const { secret, stored } = await generateKey(http.env, accountId);
    // The list is written first: an account that is not listed would hold credits that nobody sees.
    const entry = { accountId, createdAt: Date.now() };
    await callWithRetry(() => insertAccount(http.env.DB, entry));
    const opened = {
      accountId,
      name: body.name,
      credits: body.credits,
      requestsPerMinute: body.requestsPerMinute ?? null,
      key: { ...stored, name: "first key", scopes: [...SCOPES], expiresAt: null },
    };
    const { name, availableCredits, requestsPerMinute } = await callWithRetry(() =>
      accountStub(http.env, accountId).create(opened, operatorOf(http)),
    );
    const shown = { accountId, name, availableCredits, requestsPerMinute };
    return { value: { ...shown, apiKey: secret, keyId: stored.keyId } };
  },
});

const list = account.pages(
  "Returns every account of the service with its balance, newest first.",
  async ({ http: { env }, query: { limit } }, after) => {
    const { items, next } = await callWithRetry(() => listAccounts(env.DB, after, limit));
    const accounts = await Promise.all(items.map(({ id }) => overviewOf(env, id)));
    return { items: accounts.filter((each) => each !== null), next };
  },
);

const get = route("GET", `${ACCOUNTS}/:accountId`, {
  operationId: "getAccount",
  summary: "Get an account",
  description: "Returns an account with its balance, and its quotas with what it uses of them.",
  auth,
  response: jsonResponse(200, "The account.", accountDetails),
  async handler({ http: { env }, params: { accountId } }) {
    return { value: await detailsOf(env, accountId) };
  },
});

const update = account.update({
  description:
    "Changes what operators decide about an account: its name, limits and quotas, whom its agents may write to, and whether it is suspended. Fields that you leave out stay unchanged. A change applies from the next request.",
  body: updateAccountBody,
  bodyExample: { requestsPerMinute: 600 },
  problems: ["conflict"],
  async handler({ http, id, body }) {
    await assertKept(http.env, id);
    const changed = await callWithRetry(() =>
      accountStub(http.env, id).configure(body, operatorOf(http)),
    );
    return foundOr404(changed);
  },
});

const erase = route("DELETE", `${ACCOUNTS}/:accountId`, {
  operationId: "eraseAccount",
  summary: "Erase an account",
  description:
    "Erases an account and all that it has: keys, executions with their files and logs, endpoints with their requests, workflows and credits. Its keys stop working at once, and it cannot be undone. Follow the progress with a GET, which answers 404 when nothing is left.",
  auth,
  response: jsonResponse(202, "The erasure has begun.", accountDetails),
  async handler({ http: { env }, params: { accountId } }) {
    const isKnown = await callWithRetry(() => accountStub(env, accountId).erase());
    if (!isKnown) throw notFound();
    return { value: await detailsOf(env, accountId) };
  },
});

const grant = route("POST", `${ACCOUNTS}/:accountId/credits`, {
  operationId: "grantCredits",
  summary: "Grant credits",
  description: "Adds credits. With an `Idempotency-Key`, a repeat does not grant them twice.",
  auth,
  body: jsonBody(grantBody, { amount: 500, note: "Invoice 1007" }),
  response: jsonResponse(200, "The account.", accountRecord),
  problems: ["conflict", "idempotency_key_reused"],
  requestHeaders: ["Idempotency-Key"],
  responseHeaders: ["Idempotency-Replayed"],
  async handler({ http, params: { accountId }, body: { amount, note } }) {
    await assertKept(http.env, accountId);
    const key = idempotencyKeyOf(http);
    // The space keeps a key of an operator from being the id of any other grant.
    const grantId = key === null ? crypto.randomUUID() : `key ${key}`;
    const reply = await callWithRetry(() =>
      accountStub(http.env, accountId).grant(grantId, amount, note, operatorOf(http)),
    );
    if (reply.kind === "not_found") throw notFound();
    if (reply.kind === "key_reused") throw keyReused();
    return { value: reply.account, headers: replayedHeader(key !== null && reply.replayed) };
  },
});

async function detailsOf(env: CloudflareEnv, accountId: string): Promise<AccountDetails> {
  const account = foundOr404(await overviewOf(env, accountId));
  return { ...account, usage: await quotaUseOf(env, accountId) };
}

/** Throws a 404 for an account that does not exist, and a 409 for one that is being erased. */
async function assertKept(env: CloudflareEnv, accountId: string): Promise<void> {
  const { erasure } = foundOr404(await overviewOf(env, accountId));
  if (erasure !== undefined) throw conflict("The account is being erased.");
}

/** Returns an account, or null if there is none. */
export function overviewOf(env: CloudflareEnv, accountId: string): Promise<AccountOverview | null> {
  return callWithRetry(() => accountStub(env, accountId).overview());
}

/** Returns the place that a new account asks for, or null. Throws if this runtime does not have it. */
function placeIn(
  env: CloudflareEnv,
  { region, jurisdiction }: z.infer<typeof createAccountBody>,
): Place | null {
  if (jurisdiction === undefined) {
    const name = region ?? settingsOf(env).DEFAULT_REGION;
    return name === undefined ? null : { kind: "region", name };
  }
  try {
    env.ACCOUNT.jurisdiction(jurisdiction);
  } catch {
    throw invalid("jurisdiction", "supported", "is available on Cloudflare only");
  }
  return { kind: "jurisdiction", name: jurisdiction };
}

const createOwnKey = route("POST", `${ACCOUNTS}/:accountId/keys`, {
  operationId: "createKeyOfAccount",
  summary: "Create a key for an account",
  description: "For an account whose keys are lost or revoked. Existing keys stay unchanged.",
  auth,
  body: jsonBody(createKeyBody, { name: "backend" }),
  response: jsonResponse(201, "The key.", apiKeyCreated),
  problems: ["conflict"],
  async handler({ http, params: { accountId }, body }) {
    await assertKept(http.env, accountId);
    return { value: await createKey(http, { accountId, by: OPERATORS }, body) };
  },
});

const revokeFound = route("POST", "/api/v1/admin/keys/revoke", {
  operationId: "revokeFoundKey",
  summary: "Revoke a key that was found",
  description: "Revokes a key of any account by the key itself, such as one that was published.",
  auth,
  body: jsonBody(revokeKeyBody, { apiKey: `ph_live_${"0".repeat(50)}` }),
  response: jsonResponse(200, "The revoked key.", revokedKey),
  problems: ["not_found"],
  async handler({ http, body: { apiKey } }) {
    const accountId = foundOr404(accountOfKey(apiKey));
    const keyHash = await sha256Hex(apiKey);
    const keyId = await callWithRetry(() =>
      accountStub(http.env, accountId).revokeByHash(keyHash, operatorOf(http)),
    );
    return { value: { accountId, keyId: foundOr404(keyId) } };
  },
});

/** Databases that are asked at the same time. */
const CONCURRENCY = 4;

const findExecution = route("GET", "/api/v1/admin/executions/:executionId", {
  operationId: "findExecution",
  summary: "Find the account of an execution",
  description: "Returns the account of an execution, from a moment after its start on.",
  auth,
  response: jsonResponse(200, "The account.", executionOwner),
  async handler({ http: { env }, params: { executionId } }) {
    const owners = await mapConcurrently(CONCURRENCY, allDatabases(env), (name) =>
      callWithRetry(() => ownerOfExecution(databaseNamed(env, name), executionId)),
    );
    const accountId = foundOr404(owners.find((owner) => owner !== null));
    return { value: { executionId, accountId } };
  },
});

export const accountRoutes = [
  create,
  list,
  get,
  update,
  erase,
  grant,
  createOwnKey,
  revokeFound,
  findExecution,
];
