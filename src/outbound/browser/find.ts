import type { ElementHandle, Page } from "@cloudflare/puppeteer";

/** The most matches of one selector to check. */
const MATCHES = 20;
const POLL_MS = 100;

export interface FindOptions {
  kind: ElementKind;
  timeoutMs: number;
  signal: AbortSignal;
}

/** Waits for a visible element that the target names. Returns null if none appears in time. */
export async function find(
  page: Page,
  target: string,
  { kind, timeoutMs, signal }: FindOptions,
): Promise<ElementHandle | null> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    signal.throwIfAborted();
    for (const selector of selectorsFor(target, kind)) {
      const found = await firstVisible(page, selector, kind);
      if (found) return found;
    }
    if (Date.now() > until) return null;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function firstVisible(
  page: Page,
  selector: string,
  kind: ElementKind,
): Promise<ElementHandle | null> {
  // The target may be no valid selector, and a page that navigates away has no elements.
  const matches = await page.$$(selector).catch(() => []);
  for (const match of matches.slice(0, MATCHES)) {
    const element = kind === "field" ? await fieldOf(match) : match;
    if (element && (await element.isVisible().catch(() => false))) return element;
  }
  return null;
}

/** Returns the field itself, or the field of a label. */
async function fieldOf(match: ElementHandle): Promise<ElementHandle | null> {
  const field = await match
    .evaluateHandle((node: InPage) =>
      node.matches?.("input,textarea,select,[contenteditable]") ? node : (node.control ?? null),
    )
    .catch(() => null);
  return field?.asElement() ?? null;
}

/** An element as code in the page sees it. The project's own types describe workerd, not the DOM. */
export interface InPage {
  tagName: string;
  matches?(selector: string): boolean;
  /** The field of a label. */
  control?: InPage | null;
  /** Selects all of a field's text. */
  select?(): void;
  /** The options of a drop-down list. */
  options?: Iterable<{ value: string; label: string }>;
}

/** The kind of element that a target names: a control to click, a field to fill in, or anything visible. */
export type ElementKind = "clickable" | "field" | "anything";

/** The ARIA roles of each kind, the likeliest first. */
const ROLES: Record<ElementKind, string[]> = {
  clickable: ["button", "link", "menuitem", "tab", "checkbox", "radio"],
  field: ["textbox", "searchbox", "combobox", "spinbutton", "listbox"],
  anything: [],
};

/**
 * Returns puppeteer selectors for a target, the most specific first: a CSS selector, the accessible
 * name, the visible text.
 */
export function selectorsFor(target: string, kind: ElementKind): string[] {
  const text = target.trim();
  const named = ROLES[kind].map((role) => `aria/${text}[role="${role}"]`);
  switch (kind) {
    case "clickable":
      return [target, ...named, `aria/${text}`, `text/${text}`];
    case "field":
      return [target, ...named, ...byLabel(text), ...byAttribute(text), `aria/${text}`];
    case "anything":
      return [target, `text/${text}`];
  }
}

/** Matches labels that contain the text, such as one with a star. XPath 1.0 has no escapes in strings. */
function byLabel(text: string): string[] {
  const quote = ['"', "'"].find((mark) => !text.includes(mark));
  if (quote === undefined) return [];
  return [`xpath/.//label[contains(normalize-space(.), ${quote}${text}${quote})]`];
}

function byAttribute(text: string): string[] {
  const value = JSON.stringify(text);
  return [`[placeholder=${value} i]`, `[name=${value} i]`];
}
