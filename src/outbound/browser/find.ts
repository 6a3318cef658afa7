import type { ElementHandle, Page } from "@cloudflare/puppeteer";

/** How many matches of one selector are looked at. */
const MATCHES = 20;
const POLL_MS = 100;

export interface FindOptions {
  wanted: Wanted;
  timeoutMs: number;
  signal: AbortSignal;
}

/** Waits until something visible is there that the target names; null when there is nothing in time. */
export async function find(
  page: Page,
  target: string,
  { wanted, timeoutMs, signal }: FindOptions,
): Promise<ElementHandle | null> {
  const until = Date.now() + timeoutMs;
  for (;;) {
    signal.throwIfAborted();
    for (const selector of selectorsFor(target, wanted)) {
      const found = await firstVisible(page, selector, wanted);
      if (found) return found;
    }
    if (Date.now() > until) return null;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

async function firstVisible(
  page: Page,
  selector: string,
  wanted: Wanted,
): Promise<ElementHandle | null> {
  // Not every target is a selector, and a page that is being left has no elements.
  const matches = await page.$$(selector).catch(() => []);
  for (const match of matches.slice(0, MATCHES)) {
    const element = wanted === "field" ? await fieldOf(match) : match;
    if (element && (await element.isVisible().catch(() => false))) return element;
  }
  return null;
}

/** The field itself, or the one that a label is for. */
async function fieldOf(match: ElementHandle): Promise<ElementHandle | null> {
  const field = await match
    .evaluateHandle((node: InPage) =>
      node.matches?.("input,textarea,select,[contenteditable]") ? node : (node.control ?? null),
    )
    .catch(() => null);
  return field?.asElement() ?? null;
}

/**
 * An element as code that runs in the page sees it: what this project's types know by that name is
 * the runtime's own.
 */
export interface InPage {
  tagName: string;
  matches?(selector: string): boolean;
  /** What a label is for. */
  control?: InPage | null;
  /** Marks all of a field's text. */
  select?(): void;
  /** What a drop-down list offers. */
  options?: Iterable<{ value: string; label: string }>;
}

/** What kind of thing a target names: something to click, something to fill in, or anything to see. */
export type Wanted = "clickable" | "field" | "anything";

/** Names of roles in the order in which a person would mean them. */
const ROLES: Record<Wanted, string[]> = {
  clickable: ["button", "link", "menuitem", "tab", "checkbox", "radio"],
  field: ["textbox", "searchbox", "combobox", "spinbutton", "listbox"],
  anything: [],
};

/**
 * The ways to look for what a target names, the surest first: a CSS selector, then the name that
 * assistive technology tells, then the text that is seen. In puppeteer's selector syntax.
 */
export function selectorsFor(target: string, wanted: Wanted): string[] {
  const text = target.trim();
  const named = ROLES[wanted].map((role) => `aria/${text}[role="${role}"]`);
  switch (wanted) {
    case "clickable":
      return [target, ...named, `aria/${text}`, `text/${text}`];
    case "field":
      return [target, ...named, ...byLabel(text), ...byAttribute(text), `aria/${text}`];
    case "anything":
      return [target, `text/${text}`];
  }
}

/** A label often holds more than its words: a star, a hint. XPath 1.0 knows no escapes in a string. */
function byLabel(text: string): string[] {
  const quote = ['"', "'"].find((mark) => !text.includes(mark));
  if (quote === undefined) return [];
  return [`xpath/.//label[contains(normalize-space(.), ${quote}${text}${quote})]`];
}

function byAttribute(text: string): string[] {
  const value = JSON.stringify(text);
  return [`[placeholder=${value} i]`, `[name=${value} i]`];
}
