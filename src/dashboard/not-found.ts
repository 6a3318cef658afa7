import { PrompthookError } from "../client/error.ts";
import { PROBLEMS } from "../contract/problem.ts";
import type { Page } from "./context.ts";

/** What is thrown where a list of the API does not have what a page is about. */
export function notFound(http: Page): PrompthookError {
  const code = "not_found";
  const { status, title } = PROBLEMS[code];
  const requestId = http.get("requestId");
  return new PrompthookError(
    { type: "about:blank", title, status, detail: title, code, requestId },
    null,
  );
}
