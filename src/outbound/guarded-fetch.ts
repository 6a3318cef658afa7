/** One request to the outside. */
export interface OutboundRequest {
  method: string;
  url: string;
  headers?: Record<string, string>;
  body?: string;
  /** Bytes of the answer that are read at most; the rest is dropped and `cut` says so. */
  maxBytes: number;
  /** Whole time for the request with its redirects, in milliseconds. */
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

/** A fetch that checks every address and every redirect before it connects. */
export type GuardedFetch = (request: OutboundRequest) => Promise<OutboundResponse>;

/** The request was not made, or failed. */
export class OutboundError extends Error {
  readonly code: "address_refused" | "timeout" | "network" | "too_many_redirects";

  constructor(code: OutboundError["code"], message: string) {
    super(message);
    this.name = "OutboundError";
    this.code = code;
  }
}
