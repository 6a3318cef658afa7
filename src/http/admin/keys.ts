import { accountOfKey } from "../../accounts/key-format.ts";
import { OPERATORS } from "../../contract/actor.ts";
import { apiKeyCreated, createKeyBody } from "../../contract/keys.ts";
import { executionOwner, revokedKey, revokeKeyBody } from "../../contract/operators.ts";
import { accountStub } from "../../durable/stubs.ts";
import { mapConcurrently } from "../../lib/async.ts";
import { sha256Hex } from "../../lib/encoding.ts";
import { allDatabases, databaseNamed } from "../../records/databases.ts";
import { ownerOfExecution } from "../../records/executions.ts";
import { operatorOf } from "../actor.ts";
import { adminToken as auth } from "../authentication.ts";
import { jsonBody } from "../body.ts";
import { callWithRetry } from "../call-with-retry.ts";
import { createKey } from "../keys.ts";
import { notFound } from "../problem.ts";
import { jsonResponse, route } from "../route.ts";
import { ACCOUNTS, overviewOf } from "./accounts.ts";

const create = route("POST", `${ACCOUNTS}/:accountId/keys`, {
  operationId: "createKeyOfAccount",
  summary: "Create a key for an account",
  description:
    "Restores access to an account whose keys are lost or revoked. Existing keys stay unchanged.",
  auth,
  body: jsonBody(createKeyBody, { name: "backend" }),
  response: jsonResponse(201, "The key.", apiKeyCreated),
  problems: ["conflict"],
  async handler({ http, params: { accountId }, body }) {
    if ((await overviewOf(http.env, accountId)) === null) throw notFound();
    return { value: await createKey(http, { accountId, by: OPERATORS }, body) };
  },
});

const revokeFound = route("POST", "/api/v1/admin/keys/revoke", {
  operationId: "revokeFoundKey",
  summary: "Revoke a key that was found",
  description:
    "Revokes the key of any account by the key itself, such as one that was published by mistake.",
  auth,
  body: jsonBody(revokeKeyBody, { apiKey: `ph_live_${"0".repeat(50)}` }),
  response: jsonResponse(200, "The revoked key.", revokedKey),
  problems: ["not_found"],
  async handler({ http, body: { apiKey } }) {
    const accountId = accountOfKey(apiKey);
    if (accountId === null) throw notFound();
    const keyHash = await sha256Hex(apiKey);
    const keyId = await callWithRetry(() =>
      accountStub(http.env, accountId).revokeByHash(keyHash, operatorOf(http)),
    );
    if (keyId === null) throw notFound();
    return { value: { accountId, keyId } };
  },
});

export const adminKeyRoutes = [create, revokeFound];

/** Databases that are asked at the same time. */
const CONCURRENCY = 4;

/** Finds the account of an execution. */
export const findExecution = route("GET", "/api/v1/admin/executions/:executionId", {
  operationId: "findExecution",
  summary: "Find the account of an execution",
  description:
    "Returns the account of an execution that the lists know: from a moment after its start until its retention period has passed.",
  auth,
  response: jsonResponse(200, "The account.", executionOwner),
  async handler({ http: { env }, params: { executionId } }) {
    const owners = await mapConcurrently(CONCURRENCY, allDatabases(env), (name) =>
      callWithRetry(() => ownerOfExecution(databaseNamed(env, name), executionId)),
    );
    const accountId = owners.find((owner) => owner !== null);
    if (accountId === undefined) throw notFound();
    return { value: { executionId, accountId } };
  },
});
