import { CALLBACK_SECRET_CONTEXT } from "../../contract/callbacks.ts";
import type { EndpointConfig, KeptSecret, StoredAuth } from "../../contract/inbound/endpoint.ts";
import { resealBody, resealed } from "../../contract/operators.ts";
import { accountStub } from "../../durable/stubs.ts";
import { settingsOf } from "../../env.ts";
import { type SecretUse, secretContext } from "../../inbound/secrets.ts";
import { Resealer } from "../../lib/resealer.ts";
import { listAccountIds } from "../../records/accounts.ts";
import { type EndpointPosition, selectEndpoints, updateEndpoint } from "../../records/endpoints.ts";
import {
  replaceWorkflow,
  type StoredWorkflow,
  selectWorkflows,
  type WorkflowPosition,
} from "../../records/workflows.ts";
import { adminToken as auth } from "../authentication.ts";
import { jsonBody } from "../body.ts";
import { callWithRetry } from "../call-with-retry.ts";
import { decodeCursor, encodeCursor } from "../list.ts";
import { noParams, noQuery } from "../query.ts";
import { jsonResponse, route } from "../route.ts";
import { changeEndpoint, changeWithEndpoints } from "../webhooks/config-updates.ts";

/** Accounts of one request, each with some calls to D1 and to objects. */
const ACCOUNTS = 10;
const PAGE = 100;

/** Seals stored secrets with the newest key. */
export const reseal = route({
  method: "POST",
  path: "/api/v1/admin/reseal",
  operationId: "resealSecrets",
  tag: "Operators",
  summary: "Re-seal stored secrets",
  description: `Seals the stored secrets of ${ACCOUNTS} accounts with the first key of \`ENCRYPTION_KEY\`: those of endpoints, workflows, MCP servers and connections. Repeat it with \`nextCursor\` until that is null; a repeat does no harm. Executions keep the secret of their callback as it was sealed, so keep the old key until their retention period has passed. Secrets that no key opens are counted as \`lost\`.`,
  auth,
  params: noParams,
  query: noQuery,
  body: jsonBody(resealBody, {}),
  response: jsonResponse(200, "What was sealed.", resealed, {
    accounts: 1,
    resealed: 3,
    lost: 0,
    nextCursor: null,
  }),
  problems: ["unavailable"],
  async handler({ http: { env }, body }) {
    const after = body.cursor === undefined ? null : decodeCursor(body.cursor);
    const cursor = after && { createdAt: after.createdAt, accountId: after.id };
    const found = await callWithRetry(() => listAccountIds(env.DB, { limit: ACCOUNTS, cursor }), {
      idempotent: true,
    });
    const sealer = new Resealer(settingsOf(env).ENCRYPTION_KEY);
    for (const { accountId } of found) await resealAccount(env, accountId, sealer);
    const last = found.length < ACCOUNTS ? undefined : found.at(-1);
    const { count, lost } = sealer;
    return {
      value: {
        accounts: found.length,
        resealed: count,
        lost,
        nextCursor:
          last === undefined
            ? null
            : encodeCursor({ createdAt: last.createdAt, id: last.accountId }),
      },
    };
  },
});

async function resealAccount(
  env: CloudflareEnv,
  accountId: string,
  sealer: Resealer,
): Promise<void> {
  const own = await callWithRetry(() => accountStub(env, accountId).reseal(), { idempotent: true });
  sealer.add(own);
  let workflow: WorkflowPosition | null = null;
  do {
    const page: Awaited<ReturnType<typeof selectWorkflows>> = await selectWorkflows(
      env.DB,
      accountId,
      { limit: PAGE, cursor: workflow },
    );
    for (const each of page.workflows) await resealWorkflow(env, accountId, each, sealer);
    workflow = page.next;
  } while (workflow !== null);
  let endpoint: EndpointPosition | null = null;
  do {
    const page: Awaited<ReturnType<typeof selectEndpoints>> = await selectEndpoints(
      env.DB,
      accountId,
      endpoint,
      PAGE,
    );
    for (const each of page.endpoints) await resealEndpoint(env, each, sealer);
    endpoint = page.next;
  } while (endpoint !== null);
}

async function resealWorkflow(
  env: CloudflareEnv,
  accountId: string,
  before: StoredWorkflow,
  sealer: Resealer,
): Promise<void> {
  const { definition } = before;
  const { callback, workflowId } = definition;
  if (callback?.sealedSecret == null) return;
  const sealedSecret = await sealer.reseal(callback.sealedSecret, CALLBACK_SECRET_CONTEXT);
  if (sealedSecret === callback.sealedSecret) return;
  const after = {
    ...before,
    definition: { ...definition, callback: { ...callback, sealedSecret } },
    updatedAt: Math.max(Date.now(), before.updatedAt + 1),
  };
  // One that is changed at the same time is sealed anew by that, or by the next round.
  await changeWithEndpoints(env, accountId, workflowId, () =>
    replaceWorkflow(env.DB, accountId, before, after),
  );
}

async function resealEndpoint(
  env: CloudflareEnv,
  config: EndpointConfig,
  sealer: Resealer,
): Promise<void> {
  const before = sealer.count;
  const auth = await resealedAuth(config, sealer);
  if (sealer.count === before) return;
  const after = { ...config, auth, updatedAt: Math.max(Date.now(), config.updatedAt + 1) };
  await changeEndpoint(env, config.endpointId, () => updateEndpoint(env.DB, after));
}

async function resealedAuth(
  { endpointId, auth }: EndpointConfig,
  sealer: Resealer,
): Promise<StoredAuth> {
  const one = (sealed: string, use: SecretUse) =>
    sealer.reseal(sealed, secretContext(endpointId, use));
  const both = async (secret: KeptSecret, use: SecretUse): Promise<KeptSecret> => ({
    ...secret,
    sealed: await one(secret.sealed, use),
    previous: secret.previous && {
      ...secret.previous,
      sealed: await one(secret.previous.sealed, use),
    },
  });
  const { token, hmac, signature } = auth;
  return {
    ...auth,
    token: token && { ...token, secret: await both(token.secret, "token") },
    hmac: hmac && { ...hmac, secret: await both(hmac.secret, "hmac") },
    ...(signature?.secret && {
      signature: { ...signature, secret: await both(signature.secret, "signature") },
    }),
    headers: await Promise.all(
      auth.headers.map(async ({ name, value }) => ({
        name,
        value: value && { ...value, sealed: await one(value.sealed, { header: name }) },
      })),
    ),
  };
}
