/** What one visit may take; times are in milliseconds, sizes in bytes. */
export interface BrowserLimits {
  /** The whole visit, with the start of the browser. Under the time that one tool call has. */
  visitMs: number;
  /** Until the page's load event; a page that is still loading then is read as it is. */
  loadMs: number;
  /** Until the network rests, after the load and after each action. */
  restMs: number;
  /** How long the network must rest. */
  quietMs: number;
  /** Until what an action names is there. */
  findMs: number;
  /** Until what `wait` names is there. */
  waitMs: number;
  /** One request of the page. */
  requestMs: number;
  requests: number;
  /** Requests that are answered at once: each holds its whole answer in memory, some four times. */
  parallelRequests: number;
  responseBytes: number;
  totalBytes: number;
  /** All pictures together: they are stored in one transaction. */
  screenshotBytes: number;
  /** Pixels of a picture's height at most. */
  screenshotHeight: number;
  /** Characters of the rendered document. */
  html: number;
}

const MIB = 1024 * 1024;

export const BROWSER_LIMITS: BrowserLimits = {
  visitMs: 60_000,
  loadMs: 25_000,
  restMs: 8_000,
  quietMs: 500,
  findMs: 5_000,
  waitMs: 15_000,
  requestMs: 20_000,
  requests: 200,
  parallelRequests: 6,
  responseBytes: 5 * MIB,
  totalBytes: 30 * MIB,
  screenshotBytes: 5 * MIB,
  screenshotHeight: 10_000,
  html: 2 * MIB,
};
