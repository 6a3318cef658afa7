import puppeteer, { type BrowserWorker, type CDPSession, type Page } from "@cloudflare/puppeteer";
import { DeadlineError, within } from "../../lib/async.ts";
import { logWarning, rootCause } from "../../lib/log.ts";
import { USER_AGENT } from "../guarded-fetch.ts";
import { VisitError } from "./visit-error.ts";

const CLOSE_MS = 3_000;
const VIEWPORT = { width: 1_280, height: 800 };

/**
 * A proxy where nothing listens, for loopback addresses too: whatever the browser would fetch by
 * itself ends there, so that everything which the guard does not answer fails. Unlike a browser set
 * to offline, it tells the page nothing.
 */
const DEAD_END = { proxyServer: "http://127.0.0.1:1", proxyBypassList: ["<-loopback>"] };

/** A browser of its own for one visit, with one empty page in a fresh context. */
export interface OpenBrowser {
  page: Page;
  /** Aborted when the browser or the page broke. */
  broken: AbortSignal;
  /** Ends the browser with all that it kept. */
  close(): Promise<void>;
}

/** Starts a browser. One that is there only after the signal's abort is ended at once. */
export async function openBrowser(
  binding: BrowserWorker,
  signal: AbortSignal,
): Promise<OpenBrowser> {
  const browser = await puppeteer.launch(binding).catch(asVisitError);
  const broken = new AbortController();
  const breaks = () => broken.abort(new VisitError("browser_failed", "The page crashed."));
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
    // Scripts are told the browser's own name, which they choose features by, and ours.
    await page.setUserAgent(`${await browser.userAgent()} ${USER_AGENT}`);
    signal.throwIfAborted();
    return { page, broken: broken.signal, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The library's own way to close writes an error for each browser that went before it had answered. */
async function end(control: CDPSession): Promise<void> {
  try {
    await within("the browser", CLOSE_MS, control.send("Browser.close"));
  } catch (error) {
    if (error instanceof DeadlineError) logWarning("browser not closed", {}, error);
  }
}

function asVisitError(error: unknown): never {
  const reason = rootCause(error);
  if (/\b429\b/.test(reason)) {
    throw new VisitError("browser_busy", "All browsers are in use; try again in a minute.");
  }
  logWarning("browser not started", {}, error);
  throw new VisitError("browser_failed", "The browser could not be started.");
}
