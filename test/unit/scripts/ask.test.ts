import { expect, test } from "vitest";
import { isYes } from "../../../scripts/local/ask.ts";

test.each(["y", "Y", "yes", " Yes "])("accepts %o as a yes", (answer) => {
  expect(isYes(answer)).toBe(true);
});

test.each(["", "n", "no", "yep, but not today", "j"])("accepts %o as a no", (answer) => {
  expect(isYes(answer)).toBe(false);
});
