import type { Page } from "./context.ts";

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
