import { app } from "./app.ts";
import { handleCallbackBatch, handleDeadCallbacks } from "./callbacks/consumer.ts";
import { handleDeadInbound, handleInboundBatch } from "./inbound/consumer.ts";

export { Account } from "./accounts/account.ts";
export { SessionHost } from "./agent/host.ts";
export { EndpointInbox } from "./inbound/inbox/inbox.ts";

export default {
  fetch: app.fetch,
  async queue(batch, env, context) {
    switch (batch.queue) {
      case "prompthook-callbacks":
        return await handleCallbackBatch(batch, env, context);
      case "prompthook-callbacks-dead":
        return handleDeadCallbacks(batch);
      case "prompthook-inbound":
        return await handleInboundBatch(batch, env);
      case "prompthook-inbound-dead":
        return await handleDeadInbound(batch, env);
      default:
        throw new Error(`No consumer for the queue ${batch.queue}.`);
    }
  },
} satisfies ExportedHandler<CloudflareEnv>;
