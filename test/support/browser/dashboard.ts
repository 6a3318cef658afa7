import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, expect, inject } from "vitest";
import * as z from "zod";
import { createAccount } from "../client.ts";
import { startTestRuntime } from "../runtime.ts";

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 380, height: 800 };

/** How the reader looks at it. */
export interface View {
  phone?: boolean;
  /** Whether scripts run, as they do by default. */
  scripts?: boolean;
}

/** The browser of all test files, once one has asked for it; it ends with their process. */
let running: Promise<Browser> | null = null;

/** Errors in the background of each page. */
const troubles = new WeakMap<Page, string[]>();

/**
 * Opens the browser of all test files on the service of all test files (see `setup.ts`), or on one of its own,
 * which has these variables and an outbox. A test file does so before its tests, and is done after the last.
 */
export async function openDashboard(variables?: Record<string, string>) {
  const shared = inject("dashboard");
  const own = variables && (await startTestRuntime({ variables, hasOutbox: true }));
  const service = own ?? shared;
  running ??= chromium.launch({ executablePath: shared.browser });
  const browser = await running;
  const contexts: BrowserContext[] = [];
  afterAll(async () => {
    for (const context of contexts) await context.close();
    await own?.close();
  });

  /** Opens a browser of its own that has not signed in, at an empty page. */
  async function visit({ phone = false, scripts = true }: View = {}): Promise<Page> {
    const context = await browser.newContext({
      baseURL: service.url,
      viewport: phone ? PHONE : DESKTOP,
      javaScriptEnabled: scripts,
      permissions: ["clipboard-read", "clipboard-write"],
    });
    contexts.push(context);
    const page = await context.newPage();
    watch(page);
    return page;
  }

  return {
    url: service.url,
    account: () => createAccount(service),
    visit,
    /** Opens a browser of its own that has signed in with this key, at the overview. */
    async signIn(apiKey: string, view?: View): Promise<Page> {
      const page = await visit(view);
      const answer = await page.context().request.post("/dashboard/sign-in", {
        form: { apiKey },
        headers: { origin: service.url },
        maxRedirects: 0,
      });
      expect(answer.headers().location).toBe("/dashboard");
      await page.goto("/dashboard");
      return page;
    },
  };
}

export type TestDashboard = Awaited<ReturnType<typeof openDashboard>>;

function watch(page: Page): void {
  const seen: string[] = [];
  troubles.set(page, seen);
  page.on("console", (message) => {
    // A reader who is quicker than the page keeps the focus.
    if (message.text().startsWith("Autofocus processing was blocked")) return;
    seen.push(`console ${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => seen.push(`error: ${error.message}`));
  page.on("requestfailed", (request) => {
    const reason = request.failure()?.errorText ?? "";
    // What a reader leaves before it has come is aborted, and so is a stream.
    if (reason !== "net::ERR_ABORTED") seen.push(`request: ${request.url()} ${reason}`);
  });
}

/**
 * Expects that nothing was said on the page's console: no error, no warning, nothing that the
 * Content-Security-Policy has refused.
 */
export function expectQuiet(page: Page): void {
  expect(troubles.get(page)).toEqual([]);
}

const axeResults = z.object({
  violations: z.array(
    z.object({
      id: z.string(),
      help: z.string(),
      nodes: z.array(z.object({ target: z.array(z.string()), failureSummary: z.string() })),
    }),
  ),
});

/** Lets what has just appeared reach its final colours; what moves for ever is left. */
const SETTLED = `Promise.all(document.getAnimations()
  .filter((each) => Number.isFinite(each.effect.getComputedTiming().endTime))
  .map((each) => each.finished.catch(() => {})))`;

/** Each page parses it, which takes as long as several rules. */
const AXE = fileURLToPath(import.meta.resolve("axe-core/axe.min.js"));
let axeSource: Promise<string> | null = null;

/**
 * Expects that axe finds nothing against the page as it is now (WCAG 2.2 AA and best practices), or that
 * these rules of it do not.
 */
export async function expectAccessible(page: Page, rules?: readonly string[]): Promise<void> {
  await page.evaluate(SETTLED);
  axeSource ??= readFile(AXE, "utf8");
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(await axeSource);
  // Without it, axe loads each style sheet again, for an experimental rule alone.
  const preload = false;
  const options = { resultTypes: ["violations"], preload, ...(rules && { runOnly: rules }) };
  const results = await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`);
  expect(axeResults.parse(results)).toEqual({ violations: [] });
}

/** Expects that the page needs no scrolling to the side. */
export async function expectFitting(page: Page): Promise<void> {
  const root = page.locator("html");
  const excess = await root.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
  expect(excess).toBeLessThanOrEqual(0);
}

/** The short words of tables, but for prose, that stand on several lines, in the page's own language. */
const BROKEN_WORDS = String.raw`[...document.querySelectorAll("td:not(.wrap)")].flatMap((cell) => {
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    for (const { 0: word, index } of node.textContent.matchAll(/\b\w{2,16}\b/g)) {
      const range = new Range();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(word);
    }
  }
  return found;
})`;

/** Expects that no short word of a table's narrow cells is broken over several lines. */
export async function expectWholeWords(page: Page): Promise<void> {
  expect(await page.evaluate(BROKEN_WORDS)).toEqual([]);
}

/** Keeps a picture of the page for a person to look at, where `SCREENSHOTS` names a folder. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.SCREENSHOTS;
  if (folder === undefined) return;
  await mkdir(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}
