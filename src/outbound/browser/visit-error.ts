import type { RenderErrorCode } from "../../agent/ports/browser.ts";

/** A visit cannot go on; the message says why to whoever asked for it. */
export class VisitError extends Error {
  readonly code: RenderErrorCode;

  constructor(code: RenderErrorCode, message: string) {
    super(message);
    this.name = "VisitError";
    this.code = code;
  }
}
