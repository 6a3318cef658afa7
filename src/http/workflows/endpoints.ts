import { inboxStub } from "../../inbound/inbox/stub.ts";
import { mapAtMost } from "../../lib/map-at-most.ts";
import { endpointsOfWorkflow, loadEndpoint } from "../../records/endpoints.ts";
import { reach } from "../reach.ts";
import { announce } from "../webhooks/change.ts";

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
  await mapAtMost(AT_ONCE, ids, (id) =>
    reach(() => inboxStub(env, id).expectChange(), { again: true }),
  );
  const result = await reach(write, { again: false });
  await mapAtMost(AT_ONCE, ids, async (id) => {
    const config = await reach(() => loadEndpoint(env.DB, accountId, id), { again: true });
    if (config !== null) await announce(env, config);
  });
  return result;
}
