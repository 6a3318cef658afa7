import { expect, it } from "vitest";
import { selectorsFor } from "../../../../src/outbound/browser/find.ts";

it("looks for a selector first, then for the name, then for the text", () => {
  const selectors = selectorsFor("Place order ", "clickable");
  expect(selectors[0]).toBe("Place order ");
  expect(selectors[1]).toBe('aria/Place order[role="button"]');
  expect(selectors.at(-1)).toBe("text/Place order");
});

it("finds a field by its label, its placeholder or its name, whatever the quotes in them", () => {
  expect(selectorsFor("Your name", "field")).toContain(
    'xpath/.//label[contains(normalize-space(.), "Your name")]',
  );
  expect(selectorsFor('Say "hi"', "field")).toEqual(
    expect.arrayContaining([
      "xpath/.//label[contains(normalize-space(.), 'Say \"hi\"')]",
      '[placeholder="Say \\"hi\\"" i]',
    ]),
  );
  expect(selectorsFor(`"it's"`, "field").some((selector) => selector.startsWith("xpath/"))).toBe(
    false,
  );
});
