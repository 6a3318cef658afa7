import type { ElementHandle, Page } from "@cloudflare/puppeteer";
import * as z from "zod";
import type { BrowseAction } from "../../contract/tools/browse.ts";
import { fromBase64 } from "../../lib/encoding.ts";
import type { Screenshot } from "../../ports/browser.ts";
import { type ElementKind, find, type InPage } from "./find.ts";
import type { BrowserLimits } from "./limits.ts";
import { VisitError } from "./open.ts";
import { CONTROLS_SCRIPT, HEIGHT_SCRIPT } from "./page-scripts.ts";

/** The longest text to type key by key, in characters; a longer one would take minutes. */
const TYPED_LENGTH = 200;

export interface ActionContext {
  page: Page;
  limits: BrowserLimits;
  signal: AbortSignal;
  /** Called right before an action that may change something outside. */
  acting(): void;
  screenshots: Screenshot[];
}

/** Performs one action. Throws a `VisitError` that names the action and the visible controls. */
export async function act(
  action: BrowseAction,
  position: number,
  context: ActionContext,
): Promise<void> {
  try {
    await perform(action, context);
  } catch (error) {
    context.signal.throwIfAborted();
    const reason = error instanceof Error ? error.message : String(error);
    const seen = await visibleControls(context.page);
    throw new VisitError(
      "action_failed",
      `Action ${position} (${nameOf(action)}) failed: ${reason.slice(0, 300)} ${seen}`,
    );
  }
}

async function perform(action: BrowseAction, context: ActionContext): Promise<void> {
  const { page } = context;
  switch (action.do) {
    case "click": {
      const element = await requireElement(action.target, "clickable", context);
      context.acting();
      return element.click();
    }
    case "type": {
      const element = await requireElement(action.target, "field", context);
      context.acting();
      return type(page, element, action.text);
    }
    case "select":
      return select(await requireElement(action.target, "field", context), action.value, context);
    case "press":
      context.acting();
      return page.keyboard.press(action.key);
    case "wait":
      await requireElement(action.target, "anything", context);
      return;
    case "screenshot":
      context.screenshots.push(await takeScreenshot(action, context));
      return;
    default:
      action satisfies never;
  }
}

async function requireElement(
  target: string,
  kind: ElementKind,
  { page, limits, signal }: ActionContext,
): Promise<ElementHandle> {
  const timeoutMs = kind === "anything" ? limits.waitMs : limits.findMs;
  const found = await find(page, target, { kind, timeoutMs, signal });
  if (found) return found;
  const what = kind === "field" ? "no visible field is" : "nothing visible is";
  throw new Error(`${what} named ${JSON.stringify(target)}.`);
}

async function type(page: Page, element: ElementHandle, text: string): Promise<void> {
  await element.focus();
  await element.evaluate((node: InPage) => node.select?.());
  await page.keyboard.press("Backspace");
  if (text.length <= TYPED_LENGTH) await page.keyboard.type(text);
  else await page.keyboard.sendCharacter(text);
}

const option = z.object({ value: z.string(), label: z.string() });

async function select(
  element: ElementHandle,
  wanted: string,
  { acting }: ActionContext,
): Promise<void> {
  const options = z
    .array(option)
    .parse(
      await element.evaluate((node: InPage) =>
        Array.from(node.options ?? [], ({ value, label }) => ({ value, label: label.trim() })),
      ),
    );
  const chosen =
    options.find(({ value }) => value === wanted) ??
    options.find(({ label }) => label.toLowerCase() === wanted.trim().toLowerCase());
  if (chosen === undefined) {
    const labels = options.slice(0, 20).map(({ label }) => JSON.stringify(label));
    throw new Error(
      `no option is named ${JSON.stringify(wanted)}; the options are: ${labels.join(", ") || "none"}.`,
    );
  }
  acting();
  await element.select(chosen.value);
}

async function takeScreenshot(
  { label, fullPage }: Extract<BrowseAction, { do: "screenshot" }>,
  { page, limits, screenshots }: ActionContext,
): Promise<Screenshot> {
  const { width, height } = page.viewport() ?? { width: 1_280, height: 800 };
  const whole = fullPage ? z.number().parse(await page.evaluate(HEIGHT_SCRIPT)) : height;
  const encoded = await page.screenshot({
    type: "png",
    encoding: "base64",
    ...(fullPage
      ? { clip: { x: 0, y: 0, width, height: Math.min(whole, limits.screenshotHeight) } }
      : {}),
  });
  const bytes = fromBase64(z.string().parse(encoded));
  if (bytes === null) throw new Error("the browser returned no screenshot.");
  const taken = screenshots.reduce((sum, earlier) => sum + earlier.bytes.byteLength, 0);
  if (taken + bytes.byteLength > limits.screenshotBytes) {
    throw new Error("the screenshots exceed the size limit; take fewer, or omit fullPage.");
  }
  return { label, bytes };
}

const lines = z.array(z.string());

async function visibleControls(page: Page): Promise<string> {
  const found = lines.safeParse(await page.evaluate(CONTROLS_SCRIPT).catch(() => []));
  if (!found.success || found.data.length === 0) return "The page has no visible controls.";
  return `Visible controls: ${found.data.join(", ")}.`;
}

function nameOf(action: BrowseAction): string {
  if ("target" in action) return `${action.do} ${JSON.stringify(action.target)}`;
  return action.do === "press" ? `press ${action.key}` : `screenshot ${action.label}`;
}
