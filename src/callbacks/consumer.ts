import {
  CALLBACK_SECRET_CONTEXT,
  type DeliveryMessage,
  type DeliveryOrder,
  deliveryMessage,
} from "../contract/callbacks.ts";
import { sessionHostStub } from "../durable/stubs.ts";
import { settingsOf } from "../env.ts";
import { logError, logInfo, logWarning } from "../lib/log.ts";
import { open } from "../lib/secrets.ts";
import { createGuardedFetch } from "../outbound/guarded-fetch.ts";
import { type DeliveryDeps, deliver } from "./deliver.ts";

/** Seconds until a message whose session could not be reached is delivered again, times its attempts. */
const RETRY_SECONDS = 10;

/**
 * Consumes the callbacks queue. A message is one attempt. Its session returns the order to deliver, takes
 * the report and decides the next attempt, so that a repeated or late message does no harm.
 */
export async function handleCallbackBatch(batch: MessageBatch, env: CloudflareEnv): Promise<void> {
  await Promise.all(batch.messages.map((message) => handleMessage(message, env)));
}

/**
 * Consumes the dead letters of the callbacks queue. They lose nothing: a session expects a report of each
 * attempt, and its wake-up sends an attempt without a report again.
 */
export function handleDeadCallbacks(batch: MessageBatch): void {
  for (const message of batch.messages) {
    logWarning("callback message dead-lettered", { messageId: message.id, ...idsIn(message) });
    message.ack();
  }
}

async function handleMessage(message: Message, env: CloudflareEnv): Promise<void> {
  const parsed = deliveryMessage.safeParse(message.body);
  if (!parsed.success) {
    logError("callback message not readable", { messageId: message.id });
    message.ack();
    return;
  }
  try {
    await attempt(parsed.data, env);
    message.ack();
  } catch (error) {
    // `deliver` never throws, so the session could not be reached. A repeat after a delivery whose report
    // was lost has the same webhook id.
    logError("callback session not reached", { messageId: message.id, ...idsIn(message) }, error);
    message.retry({ delaySeconds: RETRY_SECONDS * message.attempts });
  }
}

async function attempt(message: DeliveryMessage, env: CloudflareEnv): Promise<void> {
  const { accountId, executionId, deliveryId, attempt } = message;
  const host = sessionHostStub(env, accountId, executionId);
  const order = await host.beginDelivery(executionId, deliveryId, attempt);
  if (order === null) return;
  const report = await deliver(order, deliveryDeps(order, env));
  const { status, durationMs, error } = report;
  const outcome = error === null ? "delivered" : "failed";
  logInfo("callback", { executionId, attempt, status, durationMs, outcome });
  await host.endDelivery(executionId, deliveryId, attempt, report);
}

function idsIn({ body }: Message): Partial<Pick<DeliveryMessage, "executionId" | "attempt">> {
  const { data } = deliveryMessage.pick({ executionId: true, attempt: true }).safeParse(body);
  return data ?? {};
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
      dnsOverHttpsUrl: settings.DNS_OVER_HTTPS_URL || null,
    }),
    openSecret: (sealed: string) => open(sealed, settings.ENCRYPTION_KEY, CALLBACK_SECRET_CONTEXT),
    now: Date.now,
  };
}
