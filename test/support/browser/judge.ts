import axe from "axe-core";
import type { Page } from "playwright-core";
import * as z from "zod";

/** The rules of axe whose outcome the size and the light of a page can change. */
export const OF_SIZE_AND_LIGHT = [
  "color-contrast",
  "link-in-text-block",
  "scrollable-region-focusable",
] as const;

/** What axe says against a page. */
export interface Violation {
  id: string;
  help: string;
  where: string[];
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

/** Returns what axe finds against the page as it is now (WCAG 2.2 AA and best practices), or what these rules do. */
export async function violationsOf(page: Page, rules?: readonly string[]): Promise<Violation[]> {
  await page.evaluate(SETTLED);
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  const options = { resultTypes: ["violations"], ...(rules && { runOnly: rules }) };
  const results = await page.evaluate(`axe.run(document, ${JSON.stringify(options)})`);
  return axeResults.parse(results).violations.map(({ id, help, nodes }) => ({
    id,
    help,
    where: nodes.map(({ target, failureSummary }) => `${target.join(" ")}: ${failureSummary}`),
  }));
}

/** Returns by how many pixels the page must be scrolled to the side. */
export async function overflowOf(page: Page): Promise<number> {
  const root = page.locator("html");
  return root.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
}

/** The short words of tables, but for prose, that stand on several lines, in the page's own language. */
const BROKEN_WORDS = String.raw`[...document.querySelectorAll("td:not(.wrap)")].flatMap((cell) => {
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) {
    const { currentNode: node } = walker;
    for (const { 0: word, index } of node.textContent.matchAll(/\w{2,16}/g)) {
      const range = new Range();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      if (new Set([...range.getClientRects()].map(({ top }) => top)).size > 1) found.push(word);
    }
  }
  return found;
})`;

/** Returns the short words of a table's narrow cells that are broken over several lines. */
export const brokenWords = (page: Page): Promise<string[]> => page.evaluate(BROKEN_WORDS);
