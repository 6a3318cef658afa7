import type { RenderFailure } from "../../agent/ports/browser.ts";

/** A visit cannot go on; the message says why to whoever asked for it. */
export class VisitError extends Error {
  readonly code: RenderFailure;

  constructor(code: RenderFailure, message: string) {
    super(message);
    this.name = "VisitError";
    this.code = code;
  }
}
