import { inboxStub } from "../../durable/stubs.ts";
import { mapConcurrently } from "../../lib/async.ts";
import { endpointsOfWorkflow, loadEndpoint } from "../../records/endpoints.ts";
import type { WorkflowWrite } from "../../records/workflows.ts";
import { callWithRetry } from "../call-with-retry.ts";
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
  const ids = await callWithRetry(() => endpointsOfWorkflow(env.DB, accountId, workflowId), {
    idempotent: true,
  });
  await mapConcurrently(AT_ONCE, ids, (id) =>
    callWithRetry(() => inboxStub(env, id).expectChange(), { idempotent: true }),
  );
  const { written, endpointIds } = await callWithRetry(write, { idempotent: false });
  // One may have been attached between the first look and the write.
  const concerned = [...new Set([...ids, ...endpointIds])];
  await mapConcurrently(AT_ONCE, concerned, async (id) => {
    const config = await callWithRetry(() => loadEndpoint(env.DB, accountId, id), {
      idempotent: true,
    });
    if (config !== null) await announce(env, config);
  });
  return written;
}
