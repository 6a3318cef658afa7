/** One request to the outside. */
export interface OutboundRequest {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: string;
  /** Bytes of the answer that are read at most; the rest is dropped and `cut` says so. */
  maxBytes: number;
  /** Whole time for the request with its redirects and its body, in milliseconds. */
  timeoutMs: number;
  /** Redirects followed at most; 0 hands the redirect itself back. */
  maxRedirects: number;
  signal: AbortSignal;
}

/** What came back, read whole. */
export interface OutboundResponse {
  /** The address that answered, after redirects. */
  url: string;
  status: number;
  headers: Headers;
  bytes: Uint8Array;
  cut: boolean;
}

/**
 * A fetch that checks every address and every redirect before it connects. Fails with an
 * `OutboundError`, or with the reason of `request.signal` when that aborts.
 */
export type GuardedFetch = (request: OutboundRequest) => Promise<OutboundResponse>;

/** Failures that come before a request is sent. */
const BEFORE_SENDING: ReadonlySet<string> = new Set([
  "address_refused",
  "header_refused",
  "lookup_failed",
]);

/** The request failed. */
export class OutboundError extends Error {
  readonly code:
    | "address_refused"
    | "header_refused"
    | "lookup_failed"
    | "timeout"
    | "network"
    | "too_many_redirects";

  constructor(code: OutboundError["code"], message: string) {
    super(message);
    this.name = "OutboundError";
    this.code = code;
  }

  /** Whether the target may have acted on a request that follows no redirects. */
  get mayHaveTakenEffect(): boolean {
    return !BEFORE_SENDING.has(this.code);
  }
}
