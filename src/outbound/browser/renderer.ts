import type { BrowserWorker, Page } from "@cloudflare/puppeteer";
import * as z from "zod";
import type { RenderedPage, Renderer, RenderRequest } from "../../agent/tools/browse.ts";
import { sleep, startDeadline, unlessAborted } from "../../lib/async.ts";
import { FairShare } from "../../lib/fair-share.ts";
import { logWarning } from "../../lib/log.ts";
import { OutboundError } from "../../ports/fetch.ts";
import { BROWSER_LIMITS, type BrowserLimits, RequestGuard } from "./guard.ts";
import { ALL_IN_USE, guardrailsFor, openBrowser } from "./open.ts";

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
        if (Date.now() + LOOK_MS > until) throw new OutboundError("browser_busy", ALL_IN_USE);
        await sleep(LOOK_MS);
      }
      const deadline = startDeadline(limits.visitMs, request.signal);
      try {
        const own = { ...request, signal: deadline.signal };
        return await inBrowser(binding, domains, own, limits);
      } catch (error) {
        request.signal.throwIfAborted();
        if (deadline.expired) {
          const seconds = limits.visitMs / 1_000;
          throw new OutboundError("timeout", `The page did not finish within ${seconds} seconds.`);
        }
        if (error instanceof OutboundError) throw error;
        logWarning("browser failed", {}, error);
        throw new OutboundError("browser_failed", "The browser failed.");
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
): Promise<RenderedPage> {
  const { signal } = request;
  const scheme = URL.parse(request.url)?.protocol;
  // A browser opens files, and pages of its own, without a request that the guard could see.
  if (scheme !== "https:" && scheme !== "http:") {
    throw new OutboundError("address_refused", "Only http and https addresses are allowed.");
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

/** Opens the page behind the guard and reads it. Throws an `OutboundError` if it is none. */
async function visit(
  page: Page,
  { url, fetch, signal }: RenderRequest,
  limits: BrowserLimits,
): Promise<RenderedPage> {
  const session = await page.createCDPSession();
  const { frameTree } = await session.send("Page.getFrameTree");
  const guard = new RequestGuard({ fetch, signal, limits, mainFrameId: frameTree.frame.id });
  await guard.attach(session, "page");
  await load(page, url, guard, limits);
  // One character more than a page has shows that a longer one is cut.
  const script = `(document.documentElement?.outerHTML ?? "").slice(0, ${limits.html + 1})`;
  const html = z.string().parse(await page.evaluate(script));
  const { notes, cutAt } = guard;
  return { url: page.url(), html, ...(cutAt !== null && { cutAt }), notes: notes.all() };
}

async function load(
  page: Page,
  url: string,
  guard: RequestGuard,
  { loadMs, quietMs, restMs }: BrowserLimits,
): Promise<void> {
  try {
    await page.goto(url, { waitUntil: "load", timeout: loadMs });
  } catch (error) {
    // A page that loaded and then navigated away, even to a refused address, is read as it is.
    if (!guard.opened) {
      if (guard.main?.ok === false) throw guard.main.error;
      throw new OutboundError("network", `${url} could not be loaded.`);
    }
    if (isTimeout(error)) guard.notes.add("The page was still loading when it was read.");
  }
  const { main } = guard;
  if (main?.ok && (main.status < 200 || main.status > 299)) {
    throw new OutboundError("http_error", `${main.url} answered with status ${main.status}.`);
  }
  try {
    // At most `restMs`, for a page that never is idle.
    await page.waitForNetworkIdle({ idleTime: quietMs, timeout: restMs });
  } catch (error) {
    if (!isTimeout(error)) throw error;
  }
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}
