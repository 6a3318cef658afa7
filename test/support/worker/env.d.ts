import type { D1Migration } from "@cloudflare/vitest-plugin";

declare global {
  namespace Cloudflare {
    interface Env {
      SPARE: D1Database;
      TEST_MIGRATIONS: D1Migration[];
    }
  }
}

declare module "vitest" {
  interface ProvidedContext {
    modelServerUrl: string;
    anthropicUrl: string;
    workersAiUrl: string;
    mailboxesUrl: string;
    mailServersUrl: string;
    smtpUrl: string;
    searxngUrl: string;
  }
}
