import type { ElementHandle, Page } from "@cloudflare/puppeteer";
import type { InPage } from "./in-page.ts";
import { selectorsFor, type Wanted } from "./selectors.ts";

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
