import { inboxStub } from "../../inbound/inbox/stub.ts";
import { mapAtMost } from "../../lib/map-at-most.ts";
import { endpointsOfWorkflow, loadEndpoint } from "../../records/endpoints.ts";
import type { WorkflowWrite } from "../../records/workflows.ts";
import { reach } from "../reach.ts";
import { announce } from "../webhooks/change.ts";

/** Inboxes that are told at once. */
const AT_ONCE = 20;

/**
 * Changes a workflow in D1 and tells the endpoints that it is attached to; false when others were
 * faster. Each inbox expects the change before it is made: if this process dies before it was told, it
 * looks by itself.
 */
export async function changingEndpointsOf(
  env: CloudflareEnv,
  accountId: string,
  workflowId: string,
  write: () => Promise<WorkflowWrite>,
): Promise<boolean> {
  const ids = await reach(() => endpointsOfWorkflow(env.DB, accountId, workflowId), {
    again: true,
  });
  await mapAtMost(AT_ONCE, ids, (id) =>
    reach(() => inboxStub(env, id).expectChange(), { again: true }),
  );
  const { written, endpointIds } = await reach(write, { again: false });
  // One may have been attached between the first look and the write.
  const concerned = [...new Set([...ids, ...endpointIds])];
  await mapAtMost(AT_ONCE, concerned, async (id) => {
    const config = await reach(() => loadEndpoint(env.DB, accountId, id), { again: true });
    if (config !== null) await announce(env, config);
  });
  return written;
}
