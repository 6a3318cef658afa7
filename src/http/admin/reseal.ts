import { CALLBACK_SECRET_CONTEXT } from "../../contract/callbacks.ts";
import { resealBody, resealed } from "../../contract/operators.ts";
import type { EndpointConfig, KeptSecret } from "../../contract/webhooks/endpoint.ts";
import { accountStub, inboxStub, slotHostStub } from "../../durable/stubs.ts";
import { settingsOf } from "../../env.ts";
import { type SecretUse, secretContext } from "../../intake/secrets.ts";
import { mapConcurrently } from "../../lib/async.ts";
import { slotOf } from "../../lib/execution-id.ts";
import { type Position, pagesOf } from "../../lib/pages.ts";
import { type Resealed, Resealer } from "../../lib/resealer.ts";
import { fingerprints } from "../../lib/secrets.ts";
import { listAccounts } from "../../records/accounts.ts";
import { selectEndpoints, updateEndpoint } from "../../records/endpoints.ts";
import { executionIdsAfter } from "../../records/executions.ts";
import { replaceWorkflow, type StoredWorkflow, selectWorkflows } from "../../records/workflows.ts";
import { adminToken as auth } from "../authentication.ts";
import { decodeCursor, encodeCursor } from "../list.ts";
import { callWithRetry } from "../problem.ts";
import { jsonBody, jsonResponse, route } from "../route.ts";
import { changeEndpoint, changeWithEndpoints } from "../webhooks/config-updates.ts";

/** Parts of the work of one request: an account's settings, or a page of its executions. */
const PARTS = 10;
const PAGE = 100;
const CALLS_AT_ONCE = 4;

/** How far the work has come: up to this account, and executions of it. */
interface Progress extends Position {
  /** The last execution that was looked at; null if the account is done. */
  after: string | null;
}

/** One way through all accounts. */
interface Round {
  /** The fingerprints of the keys that it began with. */
  keys: string;
  /** The secrets that it has sealed so far. */
  resealed: number;
  /** Null at its beginning. */
  progress: Progress | null;
}

/** Seals stored secrets with the newest key. */
export const reseal = route("POST", "/api/v1/admin/reseal", {
  operationId: "resealSecrets",
  summary: "Re-seal stored secrets",
  description:
    "Seals stored secrets with the first key of `ENCRYPTION_KEY`: those of endpoints, workflows, MCP servers, connections, model providers, destinations, subscriptions and the callbacks of executions. Each request does a part of the work. Repeat it with `nextCursor` until that is null; a repeat does no harm. While a new version or secret spreads, some objects still have earlier keys: `keys` then lists several, and `nextCursor` leads to the same part again. Secrets that no key opens are counted as `lost`.",
  auth,
  body: jsonBody(resealBody, {}),
  response: jsonResponse(200, "What was sealed.", resealed),
  async handler({ http: { env }, body }) {
    const sealer = new Resealer(settingsOf(env).ENCRYPTION_KEY);
    const keys = (await fingerprints(settingsOf(env).ENCRYPTION_KEY)).join("-");
    const part: Part = { sealer, objects: new Map([[keys, 0]]) };
    const begun = body.cursor === undefined ? null : roundOf(body.cursor);
    // A round that another isolate began with other keys begins again.
    const round = begun?.keys === keys ? begun : { keys, resealed: 0, progress: null };
    let { progress } = round;
    let isOver = false;
    let accounts = 0;
    for (let step = 0; step < PARTS && !isOver; step += 1) {
      const next = await resealNext(env, progress, part);
      // Some objects have other keys than the Worker.
      if (part.objects.size > 1) break;
      if (next?.after === "") accounts += 1;
      isOver = next === null;
      progress = next;
    }
    const { count, lost } = sealer.counts;
    const total = round.resealed + count;
    // What was sealed meanwhile may have an old key: only a round that finds nothing is the last.
    const next = { keys, resealed: isOver ? 0 : total, progress };
    const nextCursor = isOver && total === 0 ? null : cursorOf(next);
    const lists = [...part.objects].map(([list, objects]) => ({
      fingerprints: list === UNREPORTED ? null : list.split("-").filter((each) => each !== ""),
      objects,
    }));
    return { value: { accounts, resealed: count, lost, keys: lists, nextCursor } };
  },
});

/** What one request has sealed, and how many of the objects that it asked have each list of keys. */
interface Part {
  sealer: Resealer;
  objects: Map<string, number>;
}

/** Adds what an object did. */
function add({ sealer, objects }: Part, report: Resealed): void {
  sealer.add(report);
  const keys = report.keys?.join("-") ?? UNREPORTED;
  objects.set(keys, (objects.get(keys) ?? 0) + 1);
}

const UNREPORTED = "?";

function cursorOf({ keys, resealed, progress }: Round): string {
  if (progress === null) return `${keys}.${resealed}.`;
  const { createdAt, id: accountId, after } = progress;
  const id = after === null ? accountId : `${accountId}/${after}`;
  return `${keys}.${resealed}.${encodeCursor({ createdAt, id })}`;
}

function roundOf(cursor: string): Round {
  const [, keys = "", resealed, last = ""] = /^([\da-f-]*)\.(\d{1,9})\.(.*)$/.exec(cursor) ?? [];
  const round = { keys, resealed: Number(resealed) };
  if (last === "" && resealed !== undefined) return { ...round, progress: null };
  const { createdAt, id: names } = decodeCursor(last);
  const [id = "", after = null] = names.split("/");
  return { ...round, progress: { createdAt, id, after } };
}

/** Seals what comes next: a page of executions, or the settings of an account. Returns null at the end. */
async function resealNext(env: CloudflareEnv, progress: Progress | null, part: Part) {
  if (progress !== null && progress.after !== null)
    return { ...progress, after: await resealExecutions(env, progress.id, progress.after, part) };
  const [next] = (await callWithRetry(() => listAccounts(env.DB, progress, 1))).items;
  if (next === undefined) return null;
  await resealSettings(env, next.id, part);
  return { ...next, after: "" };
}

/** Seals the callback secrets of a page of executions. Returns the last one, or null after all of them. */
async function resealExecutions(env: CloudflareEnv, accountId: string, after: string, part: Part) {
  const own = await callWithRetry(() => accountStub(env, accountId).executionIds());
  const ids = await executionIdsAfter(env, accountId, own, { after, limit: PAGE });
  const bySlot = Map.groupBy(ids, slotOf);
  await mapConcurrently(CALLS_AT_ONCE, [...bySlot], async ([slot, some]) => {
    const host = () => slotHostStub(env, accountId, slot);
    add(part, await callWithRetry(() => host().reseal(some)));
  });
  return ids.length < PAGE ? null : (ids.at(-1) ?? null);
}

async function resealSettings(env: CloudflareEnv, accountId: string, part: Part): Promise<void> {
  add(part, await callWithRetry(() => accountStub(env, accountId).reseal()));
  const workflows = pagesOf((after) => selectWorkflows(env.DB, accountId, after, PAGE));
  for await (const page of workflows) {
    for (const each of page) await resealWorkflow(env, accountId, each, part.sealer);
  }
  const endpoints = pagesOf((after) => selectEndpoints(env.DB, accountId, after, PAGE));
  for await (const page of endpoints) {
    for (const each of page) await resealEndpoint(env, each, part);
  }
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
  const write = () => replaceWorkflow(env.DB, accountId, before, after);
  await changeWithEndpoints(env, accountId, workflowId, write, "used");
}

async function resealEndpoint(env: CloudflareEnv, config: EndpointConfig, part: Part) {
  const { endpointId } = config;
  // Work that waits starts from the configuration under which it was accepted.
  add(part, await callWithRetry(() => inboxStub(env, endpointId).reseal()));
  const { sealer } = part;
  const before = sealer.counts.count;
  const auth = await resealedAuth(config, sealer);
  if (sealer.counts.count === before) return;
  const after = { ...config, auth, updatedAt: Math.max(Date.now(), config.updatedAt + 1) };
  await changeEndpoint(env, endpointId, () => updateEndpoint(env.DB, after), "used");
}

async function resealedAuth({ endpointId, auth }: EndpointConfig, sealer: Resealer) {
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
  const { token, hmac } = auth;
  return {
    ...auth,
    token: token && { ...token, secret: await both(token.secret, "token") },
    hmac: hmac && { ...hmac, secret: await both(hmac.secret, "hmac") },
    headers: await Promise.all(
      auth.headers.map(async ({ name, value }) => ({
        name,
        value: value && { ...value, sealed: await one(value.sealed, { header: name }) },
      })),
    ),
  };
}
