/** The limits of one visit, in milliseconds and bytes. */
export interface BrowserLimits {
  /** Visits of an isolate at once; an account has half of them at most. */
  parallelVisits: number;
  /** How long a visit waits for one of them, and for a browser where all are in use. */
  queueMs: number;
  /** The whole visit, with the start of the browser; less than the time of one tool call. */
  visitMs: number;
  /** Until the page's load event; a page that still loads then is read as it is. */
  loadMs: number;
  /** Until the network is idle, after the load. */
  restMs: number;
  /** How long the network must be quiet to count as idle. */
  quietMs: number;
  /** One request of the page. */
  requestMs: number;
  requests: number;
  /** Requests in progress at once; each holds its whole response in memory, about four times. */
  parallelRequests: number;
  responseBytes: number;
  totalBytes: number;
  /** The most characters of the rendered document. */
  html: number;
}

const MIB = 1024 * 1024;

export const BROWSER_LIMITS: BrowserLimits = {
  parallelVisits: 2,
  queueMs: 30_000,
  visitMs: 60_000,
  loadMs: 25_000,
  restMs: 8_000,
  quietMs: 500,
  requestMs: 20_000,
  requests: 200,
  parallelRequests: 3,
  responseBytes: 3 * MIB,
  totalBytes: 30 * MIB,
  html: 2 * MIB,
};
