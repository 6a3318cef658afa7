import { inboxStub } from "../../durable/stubs.ts";
import { endpointsByTag } from "../../records/endpoints.ts";
import { tagOf } from "../inbox/execution-id.ts";
import { handOver } from "./hand-over.ts";

/**
 * Hands an execution of this account over at once that an inbox has promised and the queue has not
 * brought yet; nothing when it was handed over before. False when the id is of no inbox of the account.
 */
export async function handOverPromised(
  env: CloudflareEnv,
  accountId: string,
  executionId: string,
): Promise<boolean> {
  const tag = tagOf(executionId);
  if (tag === null) return false;
  const endpointIds = await endpointsByTag(env.DB, accountId, tag);
  for (const endpointId of endpointIds) {
    await handOver(env, endpointId, await inboxStub(env, endpointId).pending(executionId));
  }
  return endpointIds.length > 0;
}
