import { rememberConfig } from "../../inbound/directory.ts";
import { inboxStub } from "../../inbound/inbox/stub.ts";
import { endpointsOfWorkflow, loadEndpoint } from "../../records/endpoints.ts";
import { reach } from "../reach.ts";

/** Inboxes that are told at once. */
const AT_ONCE = 20;

/**
 * Changes a workflow in D1 and tells the endpoints that it is attached to. Each inbox expects the
 * change before it is made: if this process dies before it was told, it looks by itself.
 */
export async function changingEndpointsOf<T>(
  env: CloudflareEnv,
  accountId: string,
  workflowId: string,
  write: () => Promise<T>,
): Promise<T> {
  const ids = await reach(() => endpointsOfWorkflow(env.DB, accountId, workflowId), {
    again: true,
  });
  await forEach(ids, (id) => reach(() => inboxStub(env, id).expectChange(id), { again: true }));
  const result = await reach(write, { again: false });
  await forEach(ids, (id) => tell(env, accountId, id));
  return result;
}

async function tell(env: CloudflareEnv, accountId: string, endpointId: string): Promise<void> {
  const config = await reach(() => loadEndpoint(env.DB, accountId, endpointId), { again: true });
  if (config === null) return;
  await reach(() => inboxStub(env, endpointId).configure(config), { again: true });
  await rememberConfig(env, config);
}

async function forEach(ids: readonly string[], work: (id: string) => Promise<void>): Promise<void> {
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    await Promise.all(ids.slice(at, at + AT_ONCE).map(work));
  }
}
