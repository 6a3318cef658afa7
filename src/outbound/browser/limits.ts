const MIB = 1024 * 1024;

/** The limits of one visit, in milliseconds and bytes. */
export const BROWSER_LIMITS = {
  /** Visits of an isolate at once; an account has half of them at most. */
  parallelVisits: 2,
  /** How long a visit waits for one of them, and for a browser where all are in use. */
  queueMs: 30_000,
  /** The whole visit, with the start of the browser; less than the time of one tool call. */
  visitMs: 60_000,
  /** Until the page's load event; a page that still loads then is read as it is. */
  loadMs: 25_000,
  /** Until the network is idle, after the load. */
  restMs: 8_000,
  /** How long the network must be quiet to count as idle. */
  quietMs: 500,
  /** One request of the page. */
  requestMs: 20_000,
  requests: 200,
  /** Requests in progress at once; each holds its whole response in memory, about four times. */
  parallelRequests: 3,
  responseBytes: 3 * MIB,
  totalBytes: 30 * MIB,
  /** The most characters of the rendered document. */
  html: 2 * MIB,
};

export type BrowserLimits = typeof BROWSER_LIMITS;
