import type { ConnectionRule } from "../contract/connections.ts";
import type { SecretScrubber } from "../lib/secret-forms.ts";

/** An outbound HTTP request. */
export interface OutboundRequest {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: string;
  /** The most bytes of the body to read; the rest is dropped, which sets `cut`. */
  maxBytes: number;
  /** The deadline for the request, its redirects and its body, in milliseconds. */
  timeoutMs: number;
  /** The most redirects to follow; 0, or left out, returns the redirect itself. */
  maxRedirects?: number;
  signal: AbortSignal;
  /** Receives the bytes of the body as they arrive, before any credential is removed from them. */
  onBytes?(bytes: Uint8Array): void;
}

/** The response with its body. */
export interface OutboundResponse {
  /** The address after redirects. */
  url: string;
  status: number;
  headers: Headers;
  bytes: Uint8Array;
  cut: boolean;
}

/**
 * Sends a request and checks every address and redirect before it connects. Throws an `OutboundError`,
 * or the reason of `request.signal` when it aborts.
 */
export type GuardedFetch = (request: OutboundRequest) => Promise<OutboundResponse>;

/** The errors before a request is sent. */
const BEFORE_SENDING: ReadonlySet<string> = new Set([
  "address_refused",
  "header_refused",
  "lookup_failed",
  "connection_removed",
]);

/** The error of a failed request. */
export class OutboundError extends Error {
  readonly code:
    | "address_refused"
    | "header_refused"
    | "lookup_failed"
    | "connection_removed"
    | "timeout"
    | "network"
    | "too_many_redirects"
    // Of pages in a browser.
    | "http_error"
    | "unsupported_media_type"
    | "browser_busy"
    | "browser_failed";

  constructor(code: OutboundError["code"], message: string) {
    super(message);
    this.name = "OutboundError";
    this.code = code;
  }

  /** Whether a request without redirects may have taken effect at the target. */
  get mayHaveTakenEffect(): boolean {
    return !BEFORE_SENDING.has(this.code);
  }
}

/** A credential that is added to requests. */
export interface Credential extends ConnectionRule {
  connectionId: string;
  name: string;
  value: string;
}

/** The opened connections of an execution, with what hides their values. */
export interface Unlocked {
  credentials: readonly Credential[];
  /** The name of a connection that was removed or cannot be opened: nothing is sent without it. */
  missing: string | null;
  scrubber: SecretScrubber;
}
