import type { Context } from "hono";
import type { RateState } from "../contract/account.ts";
import type { RequestLine } from "../lib/log.ts";

/** What the application's requests carry with them. */
export interface AppEnv {
  Bindings: CloudflareEnv;
  Variables: {
    requestId: string;
    /** Whom and what the request is about, as its line in the log tells. */
    subject: Pick<RequestLine, "accountId" | "executionId" | "endpointId">;
    /** Set once the request has been counted; every answer from then on shows it. */
    rate?: RateState;
  };
}

/** One request on its way to its answer. */
export type Http = Context<AppEnv>;
