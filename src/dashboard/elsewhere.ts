import type { Page } from "./context.ts";

/**
 * Sends the reader to another page. What a live part of a page asks for would be shown inside of that
 * part, were it answered by a plain redirect.
 */
export function sendElsewhere(http: Page, path: string): Response {
  if (http.req.header("HX-Request") === undefined) return http.redirect(path, 303);
  return http.body(null, 204, { "HX-Redirect": path });
}
