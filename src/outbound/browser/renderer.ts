import type { BrowserWorker } from "@cloudflare/puppeteer";
import { sleep, startDeadline, unlessAborted } from "../../lib/async.ts";
import { FairShare } from "../../lib/fair-share.ts";
import { logWarning } from "../../lib/log.ts";
import type { Renderer, RenderRequest, RenderResult } from "../../ports/browser.ts";
import { BROWSER_LIMITS, type BrowserLimits } from "./limits.ts";
import { ALL_IN_USE, guardrailsFor, openBrowser, VisitError } from "./open.ts";
import { visit } from "./visit.ts";

/** The visits that an isolate has under way: their pages pass through its 128 MB. */
const places = new FairShare(BROWSER_LIMITS.parallelVisits);
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
      const end = await turn(request);
      if (end === null) return { ok: false, code: "browser_busy", message: ALL_IN_USE };
      const deadline = startDeadline(limits.visitMs, request.signal);
      try {
        const own = { ...request, signal: deadline.signal };
        return await inBrowser(binding, domains, own, limits);
      } catch (error) {
        request.signal.throwIfAborted();
        const seconds = limits.visitMs / 1_000;
        const { code, message } = deadline.expired
          ? new VisitError("timeout", `The page did not finish within ${seconds} seconds.`)
          : asVisitError(error);
        return { ok: false, code, message };
      } finally {
        deadline.clear();
        await end();
      }
    },
  };
}

async function inBrowser(
  binding: BrowserWorker,
  domains: string[] | null,
  request: RenderRequest,
  limits: BrowserLimits,
): Promise<RenderResult> {
  const { signal } = request;
  const scheme = URL.parse(request.url)?.protocol;
  // A browser opens files, and pages of its own, without a request that the guard could see.
  if (scheme !== "https:" && scheme !== "http:") {
    throw new VisitError("address_refused", "Only http and https addresses are allowed.");
  }
  const { page, broken, close } = await unlessAborted(signal, () =>
    openBrowser(binding, limits, { signal, domains }),
  );
  try {
    const either = AbortSignal.any([signal, broken]);
    return await unlessAborted(either, () => visit(page, { ...request, signal: either }, limits));
  } finally {
    await close();
  }
}

function asVisitError(error: unknown): VisitError {
  if (error instanceof VisitError) return error;
  logWarning("browser failed", {}, error);
  return new VisitError("browser_failed", "The browser failed.");
}
