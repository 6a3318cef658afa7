import { app } from "./app.ts";
import { handleQueue } from "./queues.ts";

export { Account } from "./accounts/account.ts";
export { EndpointInbox } from "./endpoints/inbox.ts";
export { SessionHost } from "./executions/host.ts";

export default {
  fetch: app.fetch,
  queue: handleQueue,
} satisfies ExportedHandler<CloudflareEnv>;
