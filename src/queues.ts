import { type DeliveryMessage, deliveryMessage } from "./contract/callbacks.ts";
import { type InboundMessage, inboundMessage } from "./contract/webhooks/inbox.ts";
import { handleCallbacks, handleDeadCallbacks } from "./deliveries/consumer.ts";
import { handleDeadInbound, handleInbound } from "./endpoints/consumer.ts";
import { DEAD_LETTERS } from "./env.ts";
import { logError } from "./lib/log.ts";

/**
 * Consumes a batch of any queue. A message says by its shape which consumer it is for, so each deployment
 * names its queues as it likes; only dead letters are known by the end of their queue's name.
 */
export async function handleQueue(
  { queue, messages }: MessageBatch,
  env: CloudflareEnv,
  context: Pick<ExecutionContext, "waitUntil">,
): Promise<void> {
  const deliveries = messages.filter(isDelivery);
  const inbound = messages.filter(isInbound);
  for (const message of messages) {
    if (isDelivery(message) || isInbound(message)) continue;
    logError("queue message not readable", { queue, messageId: message.id });
    message.ack();
  }
  if (queue.endsWith(DEAD_LETTERS)) {
    handleDeadCallbacks(deliveries, env);
    await handleDeadInbound(inbound, env);
  } else {
    await Promise.all([handleCallbacks(deliveries, env, context), handleInbound(inbound, env)]);
  }
}

function isDelivery(message: Message): message is Message<DeliveryMessage> {
  return deliveryMessage.safeParse(message.body).success;
}

function isInbound(message: Message): message is Message<InboundMessage> {
  return inboundMessage.safeParse(message.body).success;
}
