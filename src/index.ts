import { app } from "./app.ts";
import { handleQueue } from "./queues.ts";

export { Account } from "./accounts/account.ts";
export { SessionHost } from "./agent/host.ts";
export { EndpointInbox } from "./inbound/inbox/inbox.ts";

export default {
  fetch: app.fetch,
  queue: handleQueue,
} satisfies ExportedHandler<CloudflareEnv>;
