import type { Context, Hono } from "hono";
import { PrompthookError } from "../client/error.ts";
import { Prompthook } from "../client/prompthook.ts";
import type { Fetch } from "../client/transport.ts";
import type { Scope } from "../contract/keys.ts";
import { PROBLEMS } from "../contract/problem.ts";
import type { Follow } from "../http/account.ts";
import type { AppEnv } from "../http/context.ts";
import { HttpProblem } from "../http/problem.ts";

/** Who reads the pages: the account, and what its key may do. */
export interface Reader {
  account: string;
  scopes: Scope[];
  /** The address of a member; absent for a key. */
  email?: string;
}

/** What requests of the dashboard carry once the reader has signed in. */
export interface DashboardEnv {
  Bindings: CloudflareEnv;
  Variables: AppEnv["Variables"] & {
    /** The API as the account that is signed in. */
    api: Prompthook;
    /** Follows that account, and one of its endpoints. */
    follow: (endpointId?: string | null) => Follow;
    /** The form of this request, once it was read; one with files is not kept. */
    posted?: { texts: [string, string][] };
    /** Who is signed in; absent in sessions of earlier versions. */
    reader?: Reader;
  };
}

export type Dashboard = Hono<DashboardEnv>;

/** One request for a page of the dashboard. */
export type Page = Context<DashboardEnv>;

/** Returns the API with a key. Readers see errors at once and can try again themselves. */
export function apiWith(apiKey: string, http: Page, fetch: Fetch): Prompthook {
  return new Prompthook({ baseUrl: new URL(http.req.url).origin, apiKey, fetch, maxRetries: 0 });
}

/** Returns the id of the endpoint that a page below it is about. */
export const endpointIdOf = (http: Page): string => http.req.param("endpointId") ?? "";

/** Returns a problem of the service as the client of its API reports it; any other error is returned unchanged. */
export function asClientError(error: unknown, requestId: string): unknown {
  if (!(error instanceof HttpProblem)) return error;
  const { code, message: detail, headers, errors } = error;
  const problem = {
    type: "about:blank",
    ...PROBLEMS[code],
    detail,
    code,
    requestId,
    ...(errors && { errors }),
  };
  const seconds = headers["Retry-After"];
  return new PrompthookError(problem, seconds === undefined ? null : Number(seconds));
}

/** Ends an event stream that a browser would otherwise reopen forever. */
const END_OF_STREAM = "event: changed\ndata:\n\nevent: ended\ndata:\n\n";

/** Redirects the reader to another page; a stream ends, and its page learns of the redirect as it loads itself again. */
export function redirectTo(http: Page, path: string): Response {
  if (http.req.header("Accept") === "text/event-stream") {
    return http.body(END_OF_STREAM, 200, { "Content-Type": "text/event-stream; charset=utf-8" });
  }
  return http.redirect(path, 303);
}
