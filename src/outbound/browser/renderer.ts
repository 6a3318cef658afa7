import type { BrowserWorker } from "@cloudflare/puppeteer";
import { sleep, startDeadline, unlessAborted } from "../../lib/async.ts";
import { FairShare } from "../../lib/fair-share.ts";
import { logWarning } from "../../lib/log.ts";
import type { Renderer, RenderRequest, RenderResult } from "../../ports/browser.ts";
import { BROWSER_LIMITS, type BrowserLimits } from "./limits.ts";
import { ALL_IN_USE, guardrailsFor, type OpenBrowser, openBrowser, VisitError } from "./open.ts";
import { RestingBrowsers } from "./resting.ts";
import { type Progress, visit } from "./visit.ts";

/** The visits that an isolate has under way: their pages pass through its 128 MB. */
const places = new FairShare(BROWSER_LIMITS.parallelVisits);
const resting = new RestingBrowsers();
/** How often a visit that waits looks for a free place, in the isolate and in the account. */
const LOOK_MS = 250;
const ASK_MS = 1_000;

/** The account of a renderer. */
export interface BrowserAccount {
  accountId: string;
  /** Patterns of the only hosts that pages may reach; null for all. */
  allowedHosts: readonly string[] | null;
  /** Takes one of the account's visits until a time (epoch milliseconds), or returns false if it has no more. */
  take(visitId: string, until: number): Promise<boolean>;
  release(visitId: string): Promise<void>;
}

/** Creates the renderer of a browser binding for one account. */
export function createRenderer(
  binding: BrowserWorker,
  account: BrowserAccount,
  limits: BrowserLimits = BROWSER_LIMITS,
): Renderer {
  const { accountId } = account;
  const domains = guardrailsFor(account.allowedHosts);
  const own: OwnBrowser = { binding, domains, owner: JSON.stringify([accountId, domains]) };

  /** Waits for the visit's turn; returns what ends it, or null if it gave up. */
  async function turn({ signal }: RenderRequest): Promise<(() => Promise<void>) | null> {
    const visitId = crypto.randomUUID();
    const until = Date.now() + limits.queueMs;
    const end = async () => {
      places.release(accountId);
      await account.release(visitId);
    };
    for (;;) {
      let pause = LOOK_MS;
      if (places.take(accountId)) {
        let isTaken = false;
        try {
          isTaken = await account.take(visitId, Date.now() + limits.queueMs + limits.visitMs);
        } finally {
          if (!isTaken) await end();
        }
        if (isTaken) return end;
        pause = ASK_MS;
      }
      signal.throwIfAborted();
      if (Date.now() + pause > until) return null;
      await sleep(pause);
    }
  }

  return {
    async render(request) {
      resting.join(own.owner);
      const end = await turn(request).finally(() => resting.leave(own.owner));
      if (end === null) return BUSY;
      try {
        return await renderWithin(limits, own, request);
      } finally {
        await end();
      }
    },
  };
}

/** The browser that a visit may use. */
interface OwnBrowser {
  binding: BrowserWorker;
  /** The only domains that it may reach; null for all. */
  domains: string[] | null;
  /** Whose browser it may use after another visit. */
  owner: string;
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
  browser: OwnBrowser,
  request: RenderRequest,
): Promise<RenderResult> {
  const progress: Progress = { acted: false, screenshots: [] };
  const deadline = startDeadline(limits.visitMs, request.signal);
  try {
    const own = { ...request, signal: deadline.signal };
    return await inBrowser(browser, own, limits, progress);
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

/** Visits in a browser of the account, in a context that nothing was stored in. */
async function inBrowser(
  { binding, domains, owner }: OwnBrowser,
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
    const earlier = resting.take(owner, Date.now());
    browser = await unlessAborted(signal, () =>
      openBrowser(binding, limits, { signal, domains, resting: earlier }),
    );
    const { page, broken, rest } = browser;
    const either = AbortSignal.any([signal, broken]);
    const visited = await unlessAborted(either, () =>
      visit(page, { ...request, signal: either }, limits, progress),
    );
    // A browser in which something failed is not used again.
    if (resting.isAwaited(owner)) {
      resting.put(owner, await rest(), Date.now());
      browser = null;
    }
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
