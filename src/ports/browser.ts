import type { GuardedFetch } from "./fetch.ts";

/** A page to open in a real browser. */
export interface RenderRequest {
  url: string;
  /** Fetches everything that the browser requests; it has no other way to the network. */
  fetch: GuardedFetch;
  signal: AbortSignal;
}

/** A page as a visit ended with it. */
export interface RenderedPage {
  /** The final address. */
  url: string;
  /** The final document. */
  html: string;
  /** Where a response that the page is made of was cut, or left out for its size. */
  cutAt?: string;
  notes: string[];
}

/** A real browser. */
export interface Renderer {
  /**
   * Opens a page in a new browser and reads it. Nothing is kept. Throws an `OutboundError`, or the
   * signal's reason when it aborts.
   */
  render(request: RenderRequest): Promise<RenderedPage>;
}
