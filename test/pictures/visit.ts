import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext, Page, Response } from "playwright-core";
import {
  brokenWords,
  OF_SIZE_AND_LIGHT,
  overflowOf,
  violationsOf,
} from "../support/browser/judge.ts";
import type { Place, Visitor } from "./pages.ts";

const WIDE = { width: 1_440, height: 900 };
const PHONE = { width: 390, height: 844 };

/** How a page is seen. One view is judged by all rules of axe; the others by those that size and light can change. */
const VIEWS = [
  { name: "wide-light", viewport: WIDE, colorScheme: "light" },
  { name: "wide-dark", viewport: WIDE, colorScheme: "dark", rules: OF_SIZE_AND_LIGHT },
  { name: "phone-light", viewport: PHONE, colorScheme: "light", rules: OF_SIZE_AND_LIGHT },
  { name: "phone-dark", viewport: PHONE, colorScheme: "dark", rules: OF_SIZE_AND_LIGHT },
] as const;
type View = (typeof VIEWS)[number];

/** What a page costs its reader. */
interface Costs {
  /** Bytes of all that the page loads, compressed by gzip; `repeat` without what browsers keep for ever. */
  first: number;
  repeat: number;
  /** Milliseconds from the click, the medians of three. */
  firstByteMs: number;
  loadMs: number;
}

/** What was found about one page, in all views. */
export interface Visit extends Place {
  costs: Costs | null;
  /** Findings of axe, with the view. */
  axe: string[];
  /** Pixels by which the page must be scrolled to the side on a phone. */
  overflow: number;
  /** Words of narrow table cells on several lines, and texts that are cut without an ellipsis. */
  clipped: string[];
  /** Why it has no good picture: a status that was not expected, a script that failed. */
  errors: string[];
}

/** Signs a visitor in; nobody needs nothing. */
export type SignIn = (context: BrowserContext, visitor: Visitor) => Promise<void>;

/** Visits the places one after the other in all views, and keeps a picture of each in `folder`. */
export async function visitAll(
  browser: Browser,
  {
    url,
    places,
    signIn,
    folder,
    isMeasured,
  }: { url: string; places: Place[]; signIn: SignIn; folder: string; isMeasured: boolean },
): Promise<Visit[]> {
  const visits = places.map(
    (place): Visit => ({ ...place, costs: null, axe: [], overflow: 0, clipped: [], errors: [] }),
  );
  const through = async (view: View, isTimed: boolean) => {
    const pageOf = await visitors(browser, { url, view, signIn });
    for (const visit of visits) {
      const page = await pageOf(visit.visitor);
      await look(page, { visit, view, isMeasured: isTimed, folder }).catch((error: Error) => {
        visit.errors.push(`${view.name}: ${error.message.split("\n")[0]}`);
      });
    }
  };
  const [first, ...others] = VIEWS;
  // Alone, so that times are those of the page and not of its neighbours.
  if (isMeasured) await through(first, true);
  const rest = isMeasured ? others : VIEWS;
  await Promise.all(rest.map((view) => through(view, false)));
  return visits;
}

/** Returns what opens a page for each visitor, in a browser window of their own. */
async function visitors(
  browser: Browser,
  { url, view, signIn }: { url: string; view: View; signIn: SignIn },
): Promise<(visitor: Visitor) => Promise<Page>> {
  const pages = new Map<Visitor, Page>();
  return async (visitor) => {
    const known = pages.get(visitor);
    if (known !== undefined) return known;
    const context = await browser.newContext({
      baseURL: url,
      viewport: view.viewport,
      colorScheme: view.colorScheme,
      reducedMotion: "reduce",
      timezoneId: "Europe/Berlin",
    });
    context.setDefaultTimeout(PATIENCE_MS);
    await signIn(context, visitor);
    const page = await context.newPage();
    pages.set(visitor, page);
    return page;
  };
}

async function look(
  page: Page,
  {
    visit,
    view,
    isMeasured,
    folder,
  }: { visit: Visit; view: View; isMeasured: boolean; folder: string },
): Promise<void> {
  const said = (error: Error) => visit.errors.push(`${view.name}: ${error.message}`);
  page.on("pageerror", said);
  const { costs, status } = await open(page, visit, isMeasured);
  if (status !== visit.status) visit.errors.push(`${view.name}: status ${status}`);
  await page.screenshot({ path: join(folder, `${visit.name}-${view.name}.png`), fullPage: true });
  const found = await violationsOf(page, "rules" in view ? view.rules : undefined);
  visit.axe.push(...found.map(({ id, where }) => `${view.name}: ${id} (${where[0]})`));
  const cut = [...(await brokenWords(page)), ...(await page.evaluate<string[]>(CUT))];
  visit.clipped.push(...cut.map((text) => `${view.name}: ${text}`));
  if (view.viewport === PHONE) visit.overflow = Math.max(visit.overflow, await overflowOf(page));
  if (costs !== null) visit.costs = costs;
  page.off("pageerror", said);
}

const TIMES = 3;

/** The page of the API reference takes a busy machine a minute. */
const PATIENCE_MS = 180_000;
/** The pause after the limit of reads per minute. */
const LIMIT_MS = 20_000;

/** Opens the page, as often as its median needs. */
async function open(
  page: Page,
  { path, open: how }: Visit,
  isMeasured: boolean,
): Promise<{ costs: Costs | null; status: number }> {
  const responses: Response[] = [];
  const onResponse = (response: Response) => responses.push(response);
  page.on("response", onResponse);
  const go = async () => {
    const target = (await how?.(page.context().request)) ?? path;
    for (;;) {
      const answer = await page.goto(target);
      if (answer?.status() !== 429) return answer;
      responses.length = 0;
      await sleep(LIMIT_MS);
    }
  };
  const answer = await go();
  const status = answer?.status() ?? 0;
  page.off("response", onResponse);
  if (!isMeasured) return { costs: null, status };
  const sizes = await Promise.all(responses.map(sizeOf));
  const sum = (kept: boolean) =>
    sizes.reduce((bytes, size) => bytes + (kept || !size.isKept ? size.bytes : 0), 0);
  const times = [await page.evaluate<[number, number]>(TIMING)];
  while (times.length < TIMES) {
    await go();
    times.push(await page.evaluate<[number, number]>(TIMING));
  }
  const costs = {
    first: sum(true),
    repeat: sum(false),
    firstByteMs: median(times.map(([firstByte]) => firstByte)),
    loadMs: median(times.map(([, load]) => load)),
  };
  return { costs, status };
}

/** Local starts do not compress; in production Cloudflare does. */
async function sizeOf(response: Response): Promise<{ bytes: number; isKept: boolean }> {
  const headers = response.headers();
  const isKept = /immutable/.test(headers["cache-control"] ?? "");
  if (/event-stream/.test(headers["content-type"] ?? "")) return { bytes: 0, isKept };
  const body = await response.body().catch(() => Buffer.of());
  return { bytes: gzipSync(body).length, isKept };
}

const median = (values: number[]): number =>
  Math.round(values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0);

const TIMING = `new Promise((resolve) => {
  const told = () => {
    const [{ responseStart, loadEventEnd }] = performance.getEntriesByType("navigation");
    if (loadEventEnd > 0) resolve([responseStart, loadEventEnd]);
    else setTimeout(told, 10);
  };
  told();
})`;

/** Texts that end at the edge of their box, without an ellipsis and without a way to scroll. */
const CUT = `[...document.querySelectorAll("body *")].flatMap((element) => {
  const { overflowX, textOverflow } = getComputedStyle(element);
  const isCut = ["hidden", "clip"].includes(overflowX) && textOverflow !== "ellipsis"
    && element.checkVisibility() && element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1;
  return (isCut && element.textContent.trim().slice(0, 40)) || [];
})`;
