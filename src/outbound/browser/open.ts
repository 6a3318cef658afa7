import type { Browser, BrowserWorker, CDPSession } from "@cloudflare/puppeteer";
import { DeadlineError, sleep, within } from "../../lib/async.ts";
import { logWarning, rootCause } from "../../lib/log.ts";
import { OutboundError } from "../../ports/fetch.ts";
import { USER_AGENT } from "../guarded-fetch.ts";
import type { BrowserLimits } from "./guard.ts";

const CLOSE_MS = 3_000;
/** Cloudflare starts three browsers a second for all of an account. */
const LAUNCH_MS = 350;
export const ALL_IN_USE = "All browsers are in use; try again in a minute.";
const VIEWPORT = { width: 1_280, height: 800 };

/**
 * A proxy where nothing listens, for loopback addresses too. Requests that the guard does not answer
 * end there and fail. Unlike an offline browser, this one shows the page no difference.
 */
const DEAD_END = { proxyServer: "http://127.0.0.1:1", proxyBypassList: ["<-loopback>"] };

/** https://developers.cloudflare.com/browser-run/features/guardrails/ */
const MOST_DOMAINS = 50;
const DOMAIN = /^(?:\*\.)?[a-z0-9-]+(?:\.[a-z0-9-]+)*\.[a-z][a-z0-9-]*$/;

/**
 * Returns the domains of allowed hosts, by which Cloudflare refuses what passes the guard by mistake. Returns
 * null for all hosts, and for patterns that its policy has no words for, since that would refuse every page.
 */
export function guardrailsFor(allowedHosts: readonly string[] | null): string[] | null {
  if (allowedHosts === null) return null;
  const domains = [...new Set(allowedHosts.map((pattern) => pattern.replace(/:\d+$/, "")))];
  return domains.length <= MOST_DOMAINS && domains.every((each) => DOMAIN.test(each))
    ? domains
    : null;
}

/**
 * Starts a browser for one visit, with one empty page in a fresh context. It may reach `domains` only; null for
 * all. One that is ready only after the signal's abort ends at once. `broken` aborts when the browser or the
 * page crashes.
 */
export async function openBrowser(
  binding: BrowserWorker,
  limits: Pick<BrowserLimits, "queueMs">,
  { signal, domains }: { signal: AbortSignal; domains: string[] | null },
) {
  const browser = await launch(binding, domains, { until: Date.now() + limits.queueMs, signal });
  const broken = new AbortController();
  const breaks = () => broken.abort(new OutboundError("browser_failed", "The page crashed."));
  const control = await browser.target().createCDPSession();
  const close = async () => {
    await end(control);
    await browser.disconnect();
  };
  try {
    signal.throwIfAborted();
    browser.on("disconnected", breaks);
    const context = await browser.createBrowserContext(DEAD_END);
    const page = await context.newPage();
    page.on("error", breaks);
    await page.setViewport(VIEWPORT);
    // Scripts see the browser's own name, by which they choose features, and the service's.
    await page.setUserAgent(`${await browser.userAgent()} ${USER_AGENT}`);
    signal.throwIfAborted();
    return { page, broken: broken.signal, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Launches a browser. While the Cloudflare account has as many as it may, waits until `until` (epoch milliseconds). */
async function launch(
  binding: BrowserWorker,
  domains: string[] | null,
  { until, signal }: { until: number; signal: AbortSignal },
): Promise<Browser> {
  // Loaded when a page first needs it, so that the Worker starts without it.
  const { default: puppeteer } = await import("@cloudflare/puppeteer");
  for (;;) {
    try {
      return await puppeteer.launch(
        binding,
        domains === null ? {} : { guardrails: { allowedDomains: domains } },
      );
    } catch (error) {
      if (!/\b429\b/.test(rootCause(error))) {
        logWarning("browser not started", {}, error);
        throw new OutboundError("browser_failed", "The browser could not be started.");
      }
    }
    const pause = LAUNCH_MS * (1 + Math.random());
    if (signal.aborted || Date.now() + pause > until) {
      throw new OutboundError("browser_busy", ALL_IN_USE);
    }
    await sleep(pause);
  }
}

/** Ends a browser by command: the library's `close` logs an error if the browser ends before it responds. */
async function end(control: CDPSession): Promise<void> {
  try {
    await within("the browser", CLOSE_MS, control.send("Browser.close"));
  } catch (error) {
    if (error instanceof DeadlineError) logWarning("browser not closed", {}, error);
  }
}
