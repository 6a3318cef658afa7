import type { GuardedFetch, OutboundError } from "./fetch.ts";

/** A page to open in a real browser. */
export interface RenderRequest {
  url: string;
  /** Fetches everything that the browser requests; it has no other way to the network. */
  fetch: GuardedFetch;
  signal: AbortSignal;
}

export type RenderErrorCode =
  | OutboundError["code"]
  | "http_error"
  | "unsupported_media_type"
  | "browser_busy"
  | "browser_failed";

/** The result of a visit. */
export type RenderResult =
  | {
      ok: true;
      /** The final address. */
      url: string;
      /** The final document. */
      html: string;
      /** Where a response that the page is made of was cut, or left out for its size. */
      cutAt?: string;
      notes: string[];
    }
  | { ok: false; code: RenderErrorCode; message: string };

/** A real browser. */
export interface Renderer {
  /**
   * Opens a page in a new browser and reads it. Nothing is kept. Throws the
   * signal's reason when it aborts.
   */
  render(request: RenderRequest): Promise<RenderResult>;
}
