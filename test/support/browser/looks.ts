import type { Page } from "playwright-core";
import { expect } from "vitest";
import {
  expectAccessible,
  expectFitting,
  expectQuiet,
  expectWholeWords,
  shoot,
} from "./dashboard.ts";

const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 380, height: 800 };

/** The rules of axe whose outcome the size and the light of a page can change. */
const OF_SIZE_AND_LIGHT = [
  "color-contrast",
  "link-in-text-block",
  "scrollable-region-focusable",
] as const;

/** How readers see a page. Tests judge each size and each light once; the other pairs are only for pictures. */
const VIEWS = [
  { name: "desktop-light", size: DESKTOP, light: "light", judged: true },
  { name: "desktop-dark", size: DESKTOP, light: "dark", judged: false },
  { name: "phone-light", size: PHONE, light: "light", judged: false },
  { name: "phone-dark", size: PHONE, light: "dark", judged: true, rules: OF_SIZE_AND_LIGHT },
] as const;

/** Expects that a page as it is now reads well, on a phone too and in the dark; keeps pictures of it. */
export async function look(page: Page, what: string): Promise<void> {
  for (const { name, size, light, judged, ...view } of VIEWS) {
    if (!judged && process.env.SCREENSHOTS === undefined) continue;
    await page.setViewportSize(size);
    // Colours that fade from one light to the other would be judged half-way.
    await page.emulateMedia({ colorScheme: light, reducedMotion: "reduce" });
    await shoot(page, `${what}-${name}`);
    await expectFitting(page);
    await expectWholeWords(page);
    await expectAccessible(page, "rules" in view ? view.rules : undefined);
  }
  await page.setViewportSize(DESKTOP);
}

/** The same of pages at these addresses, one after the other, with all that is folded opened. */
export async function lookAround(page: Page, places: Record<string, string>): Promise<void> {
  for (const [what, path] of Object.entries(places)) {
    expect((await page.goto(path))?.status(), path).toBe(200);
    await page.locator("details").evaluateAll((all) => {
      for (const details of all) details.setAttribute("open", "");
    });
    await look(page, what);
  }
  expectQuiet(page);
}
