import type { Context } from "hono";
import type { RateState } from "../contract/account.ts";

/** The bindings of the application and the variables of one request. */
export interface AppEnv {
  Bindings: CloudflareEnv;
  Variables: {
    requestId: string;
    /**
     * The ids that the request's log line names: of an endpoint the part that logs may contain. The account's
     * is only claimed by the key while the code is `unauthorized`.
     */
    subject: { accountId?: string; executionId?: string; endpointId?: string };
    /** Set once the request has been counted; the response then shows the limit. */
    rate?: RateState;
  };
}

/** The context of one request. */
export type Http = Context<AppEnv>;
