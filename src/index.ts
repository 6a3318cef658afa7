export { Account } from "./accounts/account.ts";
export { ExecutionSession } from "./agent/session.ts";

export default {
  async fetch() {
    return new Response(null, { status: 404 });
  },
} satisfies ExportedHandler<CloudflareEnv>;
