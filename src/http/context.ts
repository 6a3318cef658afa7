import type { Context } from "hono";
import type { RateState } from "../contract/account.ts";
import type { RequestLine } from "../lib/log.ts";

/** The bindings of the application and the variables of one request. */
export interface AppEnv {
  Bindings: CloudflareEnv;
  Variables: {
    requestId: string;
    /** The ids that the request's log line names. */
    subject: Pick<RequestLine, "accountId" | "executionId" | "endpointId">;
    /** Set once the request has been counted; the response then shows the limit. */
    rate?: RateState;
  };
}

/** The context of one request. */
export type Http = Context<AppEnv>;
