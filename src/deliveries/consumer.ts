import type { DeliveryMessage, DeliveryOrder, DeliveryReport } from "../contract/callbacks.ts";
import type { DestinationOrder } from "../contract/destinations.ts";
import { accountStub, inboxStub, sessionHostStub } from "../durable/stubs.ts";
import { settingsOf } from "../env.ts";
import { within } from "../lib/async.ts";
import { FairShare } from "../lib/fair-share.ts";
import { logError, logInfo, logWarning } from "../lib/log.ts";
import { open } from "../lib/secrets.ts";
import { serviceFetch } from "../outbound/guarded-fetch.ts";
import { type DeliveryDeps, deliver } from "./deliver.ts";
import { deliverTo } from "./destination.ts";

/** Seconds until a message whose owner could not be reached is delivered again, times its attempts. */
const RETRY_SECONDS = 10;
/** Seconds until a message of an account with many attempts under way is delivered again: most end by then. */
const BUSY_SECONDS = 15;
const OWNER_TIMEOUT_MS = 10_000;

/** The attempts that an isolate has under way: their bodies share its memory of 128 MB. */
const places = new FairShare(128);

/**
 * Consumes the callbacks queue. A message is one attempt. Who owes it, a session or an account, returns the
 * order to deliver, takes the report and decides the next attempt, so that a repeated or late message does
 * no harm.
 *
 * The attempt continues after its message is acknowledged, so that slow receivers do not keep the queue
 * from the callbacks of others. Its owner waits for the report, and repeats an attempt that gave none.
 */
export async function handleCallbacks(
  messages: Message<DeliveryMessage>[],
  env: CloudflareEnv,
  context: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  await Promise.all(messages.map((message) => handleMessage(message, env, context)));
}

/**
 * Consumes the dead letters of the callbacks queue. They lose nothing: their owner expects a report of each
 * attempt, and its wake-up sends an attempt without a report again.
 */
export function handleDeadCallbacks(
  messages: Message<DeliveryMessage>[],
  env: CloudflareEnv,
): void {
  for (const message of messages) {
    const { ids } = ownerOf(message.body, env);
    logWarning("callback message dead-lettered", { messageId: message.id, ...ids });
    message.ack();
  }
}

async function handleMessage(
  message: Message<DeliveryMessage>,
  env: CloudflareEnv,
  context: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  const { accountId } = message.body;
  const owner = ownerOf(message.body, env);
  if (!places.take(accountId)) {
    message.retry({ delaySeconds: BUSY_SECONDS });
    return;
  }
  const order = await begin(message, owner);
  if (order === null) {
    places.release(accountId);
    return;
  }
  const delivered = attempt(owner, order, env);
  context.waitUntil(delivered.finally(() => places.release(accountId)));
}

/** Who owes the delivery of a message, and the ids that log lines name. */
function ownerOf(message: DeliveryMessage, env: CloudflareEnv) {
  const { accountId, deliveryId, attempt } = message;
  if ("executionId" in message) {
    const { executionId } = message;
    const host = () => sessionHostStub(env, accountId, executionId);
    return {
      ids: { executionId, attempt },
      begin: (): Promise<DeliveryOrder | DestinationOrder | null> =>
        host().beginDelivery(executionId, deliveryId, attempt),
      end: (report: DeliveryReport) => host().endDelivery(executionId, deliveryId, attempt, report),
    };
  }
  if ("subscriptionId" in message) {
    const { subscriptionId, endpointId } = message;
    const owner = () =>
      endpointId === null ? accountStub(env, accountId) : inboxStub(env, endpointId);
    return {
      ids: { subscriptionId, attempt },
      begin: () => owner().beginEvent(subscriptionId, deliveryId, attempt),
      end: (report: DeliveryReport) =>
        owner().endEvent(subscriptionId, deliveryId, attempt, report),
    };
  }
  const { destinationId, messageId } = message;
  const address = { destinationId, messageId };
  const account = () => accountStub(env, accountId);
  return {
    ids: { ...address, attempt },
    begin: () => account().beginDelivery(address, deliveryId, attempt),
    end: (report: DeliveryReport) => account().endDelivery(address, deliveryId, attempt, report),
  };
}

type Owner = ReturnType<typeof ownerOf>;

/** Asks the owner what to deliver and settles the message. Returns null if there is nothing to do. */
async function begin(
  message: Message<DeliveryMessage>,
  owner: Owner,
): Promise<DeliveryOrder | DestinationOrder | null> {
  try {
    const order = await within("the owner", OWNER_TIMEOUT_MS, owner.begin());
    message.ack();
    return order;
  } catch (error) {
    logError("callback owner not reached", { messageId: message.id, ...owner.ids }, error);
    message.retry({ delaySeconds: RETRY_SECONDS * message.attempts });
    return null;
  }
}

/** Makes the attempt and reports it. It never throws: the owner repeats an attempt without a report. */
async function attempt(
  owner: Owner,
  order: DeliveryOrder | DestinationOrder,
  env: CloudflareEnv,
): Promise<void> {
  const settings = settingsOf(env);
  const isOurs = "kind" in order;
  const hosts = isOurs ? [URL.parse(order.to.origin)?.host ?? ""] : order.serviceHosts;
  const deps: DeliveryDeps = {
    fetch: serviceFetch(settings, hosts),
    openSecret: (sealed, context) => open(sealed, settings.ENCRYPTION_KEY, context),
    now: Date.now,
  };
  const at = Date.now();
  const answer = await (isOurs ? deliverTo(order, env, deps) : deliver(order, deps));
  const report = { at, durationMs: Date.now() - at, ...answer };
  const { status, durationMs, error } = report;
  const outcome = error === null ? "delivered" : "failed";
  logInfo("callback", { ...owner.ids, status, durationMs, outcome });
  try {
    await within("the owner", OWNER_TIMEOUT_MS, owner.end(report));
  } catch (failure) {
    // The repeat has the same webhook id.
    logError("callback not reported", owner.ids, failure);
  }
}
