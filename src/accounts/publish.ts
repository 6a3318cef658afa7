import type { AccountControls } from "../contract/operators.ts";
import { controlsOf } from "../contract/webhooks/endpoint.ts";
import { inboxStub } from "../durable/stubs.ts";
import { mapConcurrently, within } from "../lib/async.ts";
import { setInboundControls } from "../records/accounts.ts";
import { type EndpointPage, type EndpointPosition, selectEndpoints } from "../records/endpoints.ts";

const TIMEOUT_MS = 10_000;
const PAGE = 100;
const CALLS_AT_ONCE = 8;

/**
 * Gives the controls of an account to D1, from where every isolate reads them with an endpoint, and to the
 * inboxes of its endpoints, which refuse what was admitted under older ones. Repeating it does no harm.
 */
export async function publishControls(
  env: CloudflareEnv,
  accountId: string,
  { status, quotas }: AccountControls,
): Promise<void> {
  const controls = controlsOf({ suspended: status !== "active", quotas });
  await within("D1", TIMEOUT_MS, setInboundControls(env.DB, accountId, controls, Date.now()));
  let position: EndpointPosition | null = null;
  do {
    const page: EndpointPage = await within(
      "D1",
      TIMEOUT_MS,
      selectEndpoints(env.DB, accountId, position, PAGE),
    );
    await mapConcurrently(CALLS_AT_ONCE, page.endpoints, (config) =>
      within("the inbox", TIMEOUT_MS, inboxStub(env, config.endpointId).configure(config)),
    );
    position = page.next;
  } while (position !== null);
}
