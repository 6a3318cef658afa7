import {
  CALLBACK_SECRET_CONTEXT,
  type DeliveryMessage,
  type DeliveryOrder,
} from "../contract/callbacks.ts";
import { sessionHostStub } from "../durable/stubs.ts";
import { settingsOf } from "../env.ts";
import { within } from "../lib/async.ts";
import { FairShare } from "../lib/fair-share.ts";
import { logError, logInfo, logWarning } from "../lib/log.ts";
import { open } from "../lib/secrets.ts";
import { createGuardedFetch } from "../outbound/guarded-fetch.ts";
import { type DeliveryDeps, deliver } from "./deliver.ts";

/** Seconds until a message whose session could not be reached is delivered again, times its attempts. */
const RETRY_SECONDS = 10;
/** Seconds until a message of an account with many attempts under way is delivered again: most end by then. */
const BUSY_SECONDS = 15;
const SESSION_TIMEOUT_MS = 10_000;

/** The attempts that an isolate has under way: their bodies share its memory of 128 MB. */
const places = new FairShare(128);

/**
 * Consumes the callbacks queue. A message is one attempt. Its session returns the order to deliver, takes
 * the report and decides the next attempt, so that a repeated or late message does no harm.
 *
 * The attempt continues after its message is acknowledged, so that slow receivers do not keep the queue
 * from the callbacks of others. Its session waits for the report, and repeats an attempt that gave none.
 */
export async function handleCallbacks(
  messages: Message<DeliveryMessage>[],
  env: CloudflareEnv,
  context: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  await Promise.all(messages.map((message) => handleMessage(message, env, context)));
}

/**
 * Consumes the dead letters of the callbacks queue. They lose nothing: a session expects a report of each
 * attempt, and its wake-up sends an attempt without a report again.
 */
export function handleDeadCallbacks(messages: Message<DeliveryMessage>[]): void {
  for (const message of messages) {
    logWarning("callback message dead-lettered", { messageId: message.id, ...idsIn(message) });
    message.ack();
  }
}

async function handleMessage(
  message: Message<DeliveryMessage>,
  env: CloudflareEnv,
  context: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  const { accountId } = message.body;
  if (!places.take(accountId)) {
    message.retry({ delaySeconds: BUSY_SECONDS });
    return;
  }
  const order = await begin(message, env);
  if (order === null) {
    places.release(accountId);
    return;
  }
  const delivered = attempt(message.body, order, env);
  context.waitUntil(delivered.finally(() => places.release(accountId)));
}

/** Asks the session what to deliver and settles the message. Returns null if there is nothing to do. */
async function begin(
  message: Message<DeliveryMessage>,
  env: CloudflareEnv,
): Promise<DeliveryOrder | null> {
  const { accountId, executionId, deliveryId, attempt } = message.body;
  try {
    const host = sessionHostStub(env, accountId, executionId);
    const asked = host.beginDelivery(executionId, deliveryId, attempt);
    const order = await within("the session", SESSION_TIMEOUT_MS, asked);
    message.ack();
    return order;
  } catch (error) {
    logError("callback session not reached", { messageId: message.id, ...idsIn(message) }, error);
    message.retry({ delaySeconds: RETRY_SECONDS * message.attempts });
    return null;
  }
}

/** Makes the attempt and reports it. It never throws: the session repeats an attempt without a report. */
async function attempt(
  { accountId, executionId, deliveryId, attempt }: DeliveryMessage,
  order: DeliveryOrder,
  env: CloudflareEnv,
): Promise<void> {
  const report = await deliver(order, deliveryDeps(order, env));
  const { status, durationMs, error } = report;
  const outcome = error === null ? "delivered" : "failed";
  logInfo("callback", { executionId, attempt, status, durationMs, outcome });
  try {
    const host = sessionHostStub(env, accountId, executionId);
    const reported = host.endDelivery(executionId, deliveryId, attempt, report);
    await within("the session", SESSION_TIMEOUT_MS, reported);
  } catch (failure) {
    // The repeat has the same webhook id.
    logError("callback not reported", { executionId, attempt }, failure);
  }
}

function idsIn({ body: { executionId, attempt } }: Message<DeliveryMessage>) {
  return { executionId, attempt };
}

function deliveryDeps({ serviceHosts }: DeliveryOrder, env: CloudflareEnv): DeliveryDeps {
  const settings = settingsOf(env);
  return {
    fetch: createGuardedFetch({
      policy: {
        allowLoopback: settings.ALLOW_LOOPBACK,
        ownHosts: [...serviceHosts, ...settings.SERVICE_HOSTS],
        schemes: ["https"],
      },
      dnsOverHttpsUrl: settings.DNS_OVER_HTTPS_URL ?? null,
    }),
    openSecret: (sealed: string) => open(sealed, settings.ENCRYPTION_KEY, CALLBACK_SECRET_CONTEXT),
    now: Date.now,
  };
}
