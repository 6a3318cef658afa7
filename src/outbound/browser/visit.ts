import type { Page } from "@cloudflare/puppeteer";
import * as z from "zod";
import type { RenderRequest, RenderResult } from "../../ports/browser.ts";
import { RequestGuard } from "./guard.ts";
import type { BrowserLimits } from "./limits.ts";
import { VisitError } from "./open.ts";

/** Opens the page behind the guard and reads it. Throws a `VisitError` if it is none. */
export async function visit(
  page: Page,
  { url, fetch, signal }: RenderRequest,
  limits: BrowserLimits,
): Promise<RenderResult> {
  const session = await page.createCDPSession();
  const { frameTree } = await session.send("Page.getFrameTree");
  const guard = new RequestGuard({ fetch, signal, limits, mainFrameId: frameTree.frame.id });
  await guard.attach(session, "page");
  await load(page, url, guard, limits);
  const html = z.string().parse(await page.evaluate(documentScript(limits.html)));
  const { notes, cutAt } = guard;
  return { ok: true, url: page.url(), html, ...(cutAt !== null && { cutAt }), notes: notes.all() };
}

/** Reads one character more than a page has, so that a longer one is known to be cut. */
function documentScript(maxLength: number): string {
  return `(document.documentElement?.outerHTML ?? "").slice(0, ${maxLength + 1})`;
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
      throw new VisitError("network", `${url} could not be loaded.`);
    }
    if (isTimeout(error)) guard.notes.add("The page was still loading when it was read.");
  }
  const { main } = guard;
  if (main?.ok && (main.status < 200 || main.status > 299)) {
    throw new VisitError("http_error", `${main.url} answered with status ${main.status}.`);
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
