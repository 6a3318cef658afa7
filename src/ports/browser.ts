import type { BrowseAction } from "../contract/tools/browse.ts";
import type { GuardedFetch, OutboundError } from "./fetch.ts";

/** A page to open in a real browser. */
export interface RenderRequest {
  url: string;
  actions: readonly BrowseAction[];
  /** Fetches everything that the browser requests; it has no other way to the network. */
  fetch: GuardedFetch;
  signal: AbortSignal;
}

/** A screenshot as PNG. */
export interface Screenshot {
  label: string;
  bytes: Uint8Array;
}

export type RenderErrorCode =
  | OutboundError["code"]
  | "http_error"
  | "unsupported_media_type"
  | "action_failed"
  | "browser_busy"
  | "browser_failed";

/** The result of a visit, with the screenshots taken so far. */
export type RenderResult =
  | {
      ok: true;
      /** The final address. */
      url: string;
      /** The final document. */
      html: string;
      /** Where a response that the page is made of was cut, or left out for its size. */
      cutAt?: string;
      screenshots: Screenshot[];
      notes: string[];
    }
  | {
      ok: false;
      code: RenderErrorCode;
      message: string;
      /** Whether an earlier action may have changed something outside. */
      acted: boolean;
      screenshots: Screenshot[];
    };

/** A real browser. */
export interface Renderer {
  /**
   * Opens a page in a new browser, performs the actions and reads the page. Nothing is kept. Throws the
   * signal's reason when it aborts.
   */
  render(request: RenderRequest): Promise<RenderResult>;
}
