import type { Authorized } from "../../contract/account.ts";
import { isIdentityChanged, nextRevision } from "../../contract/revision.ts";
import type { EndpointConfig } from "../../contract/webhooks/endpoint.ts";
import { inboxStub } from "../../durable/stubs.ts";
import { rememberConfig } from "../../endpoints/resolve.ts";
import { mapConcurrently } from "../../lib/async.ts";
import { logError } from "../../lib/log.ts";
import { differ } from "../../records/endpoint-rows.ts";
import {
  type EndpointWrite,
  endpointsOfWorkflow,
  loadByAddress,
  loadEndpoint,
  updateEndpoint,
} from "../../records/endpoints.ts";
import type { WorkflowWrite } from "../../records/workflows.ts";
import { auditedBy, type Http } from "../context.ts";
import { type Application, assertFree, assertRevision } from "../external.ts";
import { callOnce, callWithRetry, conflict, type HttpProblem } from "../problem.ts";
import type { EndpointDraft } from "./draft.ts";
import { endpointAt, existingEndpoint } from "./resource.ts";

/** How often a change is tried while others change the endpoint. */
const MAX_TRIES = 3;
/** Inboxes that are called at the same time. */
const CONCURRENCY = 20;

/** The inboxes that are given a change: a change that alters no answer needs to reach used ones only. */
type Inboxes = "all" | "used";

/**
 * Writes an endpoint to D1 and publishes it. The inbox is announced the change before the write: if this
 * process dies in between, the inbox reads D1 itself a few seconds later. `write` may run twice.
 */
export async function changeEndpoint(
  env: CloudflareEnv,
  endpointId: string,
  write: () => Promise<EndpointWrite>,
  inboxes: Inboxes = "all",
): Promise<EndpointWrite> {
  await announceChange(env, endpointId);
  const written = await callWithRetry(write);
  if (written.kind === "saved") await publish(env, written.config, inboxes);
  return written;
}

/**
 * Writes a new endpoint to D1. Its inbox is not called unless it has a source to follow: the first delivery
 * creates it, near the sender, and gives it the configuration. `write` may run twice.
 */
export async function createEndpoint(env: CloudflareEnv, write: () => Promise<EndpointWrite>) {
  const written = await callWithRetry(write);
  if (written.kind !== "saved") return written;
  if (written.config.source === null) await rememberConfig(env, written.config);
  else await publish(env, written.config, "all");
  return written;
}

/**
 * Changes an endpoint to what `draft` makes of it, and tries again if others changed it meanwhile. Settings
 * that are put under an external id are only stored if they change something.
 */
export async function changeExisting(
  http: Http,
  { accountId, by }: Pick<Authorized, "accountId" | "by">,
  endpointId: string,
  draft: (before: EndpointConfig, now: number) => Promise<EndpointDraft>,
  application: Application | null = null,
  action: "endpoint.updated" | "endpoint.secret_rotated" = "endpoint.updated",
): Promise<EndpointDraft & { changed: boolean }> {
  for (let attempt = 1; attempt <= MAX_TRIES; attempt += 1) {
    const before = await existingEndpoint(http, accountId, endpointId);
    assertRevision(application?.ifMatch ?? null, before.revision);
    const now = Math.max(Date.now(), before.updatedAt + 1);
    const { config: drafted, generated } = await draft(before, now);
    const differs = differ(before, drafted);
    const stamp = nextRevision(before, drafted, { differs, now, by });
    const config = { ...drafted, ...stamp, updatedAt: now };
    const changed = differs || isIdentityChanged(before, stamp);
    const { externalId: known } = before;
    await assertFree(stamp.externalId, known, (id) => endpointAt(http, accountId, id));
    if (application !== null && !changed) return { config: before, generated: {}, changed };
    if (application?.dryRun) {
      await assertPathFree(http.env, config);
      return { config, generated: {}, changed };
    }
    const resource = { kind: "endpoint", id: endpointId, name: config.name } as const;
    const entry = auditedBy(http, { by }, action, resource, { revision: stamp.revision });
    const written = await changeEndpoint(http.env, endpointId, () =>
      updateEndpoint(http.env.DB, config, entry),
    );
    if (written.kind === "saved") return { config: written.config, generated, changed };
    if (written.kind === "path_taken") throw pathTaken(config);
  }
  throw conflict("The endpoint is being changed by others. Try again.");
}

/**
 * Changes a workflow in D1 and publishes it to the endpoints that use it; false if others changed it
 * first. Every inbox is announced the change before the write, as in `changeEndpoint`.
 */
export async function changeWithEndpoints(
  env: CloudflareEnv,
  accountId: string,
  workflowId: string,
  write: () => Promise<WorkflowWrite>,
  inboxes: Inboxes = "all",
): Promise<boolean> {
  const ids = await callWithRetry(() => endpointsOfWorkflow(env.DB, accountId, workflowId));
  await mapConcurrently(CONCURRENCY, ids, (id) => announceChange(env, id));
  const { written, endpointIds } = await callOnce(write);
  // An endpoint may have been attached between the first read and the write.
  const affected = [...new Set([...ids, ...endpointIds])];
  await mapConcurrently(CONCURRENCY, affected, async (id) => {
    const config = await callWithRetry(() => loadEndpoint(env.DB, accountId, id));
    if (config !== null) await publish(env, config, inboxes);
  });
  return written;
}

/** Throws the 409 of a path that another endpoint has; the write is what decides. */
export async function assertPathFree(env: CloudflareEnv, config: EndpointConfig): Promise<void> {
  const { path, endpointId } = config;
  const found = path === null ? null : await callWithRetry(() => loadByAddress(env.DB, path));
  if (found !== null && !found.deleted && found.endpointId !== endpointId) throw pathTaken(config);
}

/** Returns the 409 of a path that an endpoint of any account has. */
export function pathTaken({ path }: EndpointConfig): HttpProblem {
  return conflict(`The path ${path} is already taken. Choose another path.`, [
    { path: "path", rule: "unique", message: "is already taken" },
  ]);
}

async function announceChange(env: CloudflareEnv, endpointId: string): Promise<void> {
  await callWithRetry(() => inboxStub(env, endpointId).expectChange());
}

/**
 * Gives the endpoint's inbox and this isolate the configuration that D1 holds. Never fails: the change is
 * made, and an inbox that was announced one and receives none reads D1 itself.
 */
async function publish(env: CloudflareEnv, config: EndpointConfig, inboxes: Inboxes) {
  const { endpointId } = config;
  const inbox = () => inboxStub(env, endpointId);
  try {
    await callWithRetry(() =>
      inboxes === "all" ? inbox().configure(config) : inbox().reconfigure(config),
    );
  } catch (error) {
    logError("inbox not configured", { endpointId }, error);
  }
  await rememberConfig(env, config);
}
