import type { Locator, Page } from "playwright-core";

/** More presses than any page has stops for the focus. */
const MOST_STOPS = 150;

/** Moves the focus to a control as somebody without a mouse does. */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let stop = 0; stop < MOST_STOPS; stop += 1) {
    if (await isFocused(target)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error(`the focus never came to ${target}`);
}

/** Whether a control has the focus. */
export function isFocused(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element.matches(":focus"));
}
