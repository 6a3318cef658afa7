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
/** How often a visit that waits looks for a free place. */
const LOOK_MS = 250;

/** Whose pages are rendered: an account, and the only hosts that they may reach; null for all. */
interface Visitor {
  accountId: string;
  allowedHosts: readonly string[] | null;
}

/** Creates the renderer of a browser binding for one account. */
export function createRenderer(
  binding: BrowserWorker,
  { accountId, allowedHosts }: Visitor,
  limits: BrowserLimits = BROWSER_LIMITS,
): Renderer {
  const domains = guardrailsFor(allowedHosts);

  return {
    async render(request) {
      for (const until = Date.now() + limits.queueMs; !places.take(accountId); ) {
        request.signal.throwIfAborted();
        if (Date.now() + LOOK_MS > until)
          return { ok: false, code: "browser_busy", message: ALL_IN_USE };
        await sleep(LOOK_MS);
      }
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
        places.release(accountId);
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
