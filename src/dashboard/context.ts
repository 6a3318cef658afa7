import type { Context, Hono } from "hono";
import type { Prompthook } from "../client/prompthook.ts";
import type { AppEnv } from "../http/context.ts";

/** What the dashboard's requests carry with them once somebody is signed in. */
export interface DashboardEnv {
  Bindings: CloudflareEnv;
  Variables: AppEnv["Variables"] & {
    /** The API as the account that is signed in. */
    api: Prompthook;
  };
}

export type Dashboard = Hono<DashboardEnv>;

/** One request for a page of the dashboard. */
export type Page = Context<DashboardEnv>;

/** A line that a page follows something by would be opened for ever: it is told that this is the end. */
const END_OF_LINE = "event: changed\ndata:\n\nevent: ended\ndata:\n\n";

/**
 * Sends the reader to another page. What a live part of a page asks for would be shown inside of that
 * part, were it answered by a plain redirect.
 */
export function sendElsewhere(http: Page, path: string): Response {
  if (http.req.header("Accept") === "text/event-stream") {
    return http.body(END_OF_LINE, 200, { "Content-Type": "text/event-stream; charset=utf-8" });
  }
  if (http.req.header("HX-Request") === undefined) return http.redirect(path, 303);
  return http.body(null, 204, { "HX-Redirect": path });
}
