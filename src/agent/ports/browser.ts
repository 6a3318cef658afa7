import type { BrowseAction } from "../../contract/tools/browse.ts";
import type { GuardedFetch, OutboundError } from "./fetch.ts";

/** A page to be opened in a real browser. */
export interface RenderRequest {
  url: string;
  actions: readonly BrowseAction[];
  /** Brings everything that the browser asks for; nothing reaches the network past it. */
  fetch: GuardedFetch;
  signal: AbortSignal;
}

/** A picture of a page, as PNG. */
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

/** What a visit came to. Either way, `screenshots` has those taken until then. */
export type RenderResult =
  | {
      ok: true;
      /** The address in the end. */
      url: string;
      /** The document as it then was. */
      html: string;
      screenshots: Screenshot[];
      notes: string[];
    }
  | {
      ok: false;
      code: RenderErrorCode;
      message: string;
      /** Whether something was done before that may have changed the outside. */
      acted: boolean;
      screenshots: Screenshot[];
    };

/** A real browser. */
export interface Renderer {
  /**
   * Opens a page in a browser of its own, does the actions and reads the page as it then is. Nothing
   * is kept afterwards. Throws the signal's reason when it aborts.
   */
  render(request: RenderRequest): Promise<RenderResult>;
}
