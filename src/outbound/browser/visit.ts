import type { Page } from "@cloudflare/puppeteer";
import * as z from "zod";
import type { BrowseAction } from "../../contract/tools/browse.ts";
import type { RenderRequest, Screenshot } from "../../ports/browser.ts";
import { act } from "./actions.ts";
import { RequestGuard } from "./guard.ts";
import type { BrowserLimits } from "./limits.ts";
import { VisitError } from "./open.ts";
import { documentScript } from "./page-scripts.ts";

/** The progress of a visit, which the caller keeps when the visit fails. */
export interface Progress {
  acted: boolean;
  screenshots: Screenshot[];
}

/** The page at the end of a visit. */
export interface Visited {
  url: string;
  html: string;
  cutAt?: string;
  notes: string[];
}

/** Opens the page behind the guard, performs the actions and reads the resulting page. */
export async function visit(
  page: Page,
  request: RenderRequest,
  limits: BrowserLimits,
  progress: Progress,
): Promise<Visited> {
  const guard = await guarded(page, request, limits);
  await load(page, request.url, guard, limits);
  for (const [index, action] of request.actions.entries()) {
    const acting = () => {
      progress.acted = true;
      guard.main = null;
    };
    const { signal } = request;
    const { screenshots } = progress;
    await act(action, index + 1, { page, limits, signal, acting, screenshots });
    if (mayLoad(action)) await rest(page, limits);
    if (progress.acted && guard.main?.ok === false) throw guard.main.error;
    if (guard.main?.ok && guard.main.status >= 400) guard.notes.add(statusOf(guard.main));
  }
  // One character more than a page has, so that a longer one is known to be cut.
  const html = z.string().parse(await page.evaluate(documentScript(limits.html + 1)));
  const { notes, cutAt } = guard;
  return { url: page.url(), html, ...(cutAt !== null && { cutAt }), notes: notes.all() };
}

async function guarded(
  page: Page,
  { fetch, signal }: RenderRequest,
  limits: BrowserLimits,
): Promise<RequestGuard> {
  const session = await page.createCDPSession();
  const { frameTree } = await session.send("Page.getFrameTree");
  const guard = new RequestGuard({ fetch, signal, limits, mainFrameId: frameTree.frame.id });
  await guard.attach(session, "page");
  return guard;
}

async function load(
  page: Page,
  url: string,
  guard: RequestGuard,
  { loadMs, ...limits }: BrowserLimits,
): Promise<void> {
  try {
    await page.goto(url, { waitUntil: "load", timeout: loadMs });
  } catch (error) {
    // A page that loaded and then navigated away, even to a refused address, is read as it is.
    if (!guard.opened) {
      if (guard.main?.ok === false) throw guard.main.error;
      throw new VisitError("network", `${url} could not be loaded.`);
    }
    if (isTimeout(error)) guard.notes.add("The page was still loading when it was read.");
  }
  const { main } = guard;
  if (main?.ok && (main.status < 200 || main.status > 299)) {
    throw new VisitError("http_error", statusOf(main));
  }
  await rest(page, { loadMs, ...limits });
}

/** Waits until the network is idle, and at most `restMs` for a page that never is. */
async function rest(page: Page, { quietMs, restMs }: BrowserLimits): Promise<void> {
  try {
    await page.waitForNetworkIdle({ idleTime: quietMs, timeout: restMs });
  } catch (error) {
    if (!isTimeout(error)) throw error;
  }
}

function mayLoad(action: BrowseAction): boolean {
  return action.do !== "screenshot" && action.do !== "type";
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.name === "TimeoutError";
}

function statusOf({ url, status }: { url: string; status: number }): string {
  return `${url} answered with status ${status}.`;
}
