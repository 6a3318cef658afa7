import type { BrowserWorker } from "@cloudflare/puppeteer";
import type { Renderer, RenderRequest, RenderResult } from "../../agent/ports/browser.ts";
import { sleep, startDeadline, unlessAborted } from "../../lib/async.ts";
import { FairShare } from "../../lib/fair-share.ts";
import { logWarning } from "../../lib/log.ts";
import { BROWSER_LIMITS, type BrowserLimits } from "./limits.ts";
import { ALL_IN_USE, type OpenBrowser, openBrowser, VisitError } from "./open.ts";
import { type Progress, visit } from "./visit.ts";

/** The visits that an isolate has under way: their pages pass through its 128 MB. */
const places = new FairShare(BROWSER_LIMITS.parallelVisits);
/** How often a visit that waits looks for a free place. */
const LOOK_MS = 250;

/** Creates the renderer of a browser binding for one account, with a new browser for each visit. */
export function createRenderer(
  binding: BrowserWorker,
  accountId: string,
  limits: BrowserLimits = BROWSER_LIMITS,
): Renderer {
  return {
    async render(request) {
      const until = Date.now() + limits.queueMs;
      while (!places.take(accountId)) {
        request.signal.throwIfAborted();
        if (Date.now() >= until) return BUSY;
        await sleep(LOOK_MS);
      }
      try {
        return await renderWithin(limits, binding, request);
      } finally {
        places.release(accountId);
      }
    },
  };
}

const BUSY: RenderResult = {
  ok: false,
  code: "browser_busy",
  message: ALL_IN_USE,
  acted: false,
  screenshots: [],
};

async function renderWithin(
  limits: BrowserLimits,
  binding: BrowserWorker,
  request: RenderRequest,
): Promise<RenderResult> {
  const progress: Progress = { acted: false, screenshots: [] };
  const deadline = startDeadline(limits.visitMs, request.signal);
  try {
    return await inOwnBrowser(binding, { ...request, signal: deadline.signal }, limits, progress);
  } catch (error) {
    request.signal.throwIfAborted();
    const seconds = limits.visitMs / 1_000;
    const failure = deadline.expired
      ? new VisitError("timeout", `The page did not finish within ${seconds} seconds.`)
      : asVisitError(error);
    return { ok: false, code: failure.code, message: failure.message, ...progress };
  } finally {
    deadline.clear();
  }
}

async function inOwnBrowser(
  binding: BrowserWorker,
  request: RenderRequest,
  limits: BrowserLimits,
  progress: Progress,
): Promise<RenderResult> {
  const { signal } = request;
  const scheme = URL.parse(request.url)?.protocol;
  // A browser opens files, and pages of its own, without a request that the guard could see.
  if (scheme !== "https:" && scheme !== "http:") {
    throw new VisitError("address_refused", "Only http and https addresses are allowed.");
  }
  let browser: OpenBrowser | null = null;
  try {
    browser = await unlessAborted(signal, () => openBrowser(binding, limits, signal));
    const { page, broken } = browser;
    const either = AbortSignal.any([signal, broken]);
    const visited = await unlessAborted(either, () =>
      visit(page, { ...request, signal: either }, limits, progress),
    );
    return { ok: true, ...visited, screenshots: progress.screenshots };
  } finally {
    await browser?.close();
  }
}

function asVisitError(error: unknown): VisitError {
  if (error instanceof VisitError) return error;
  logWarning("browser failed", {}, error);
  return new VisitError("browser_failed", "The browser failed.");
}
