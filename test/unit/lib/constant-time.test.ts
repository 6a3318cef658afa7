import { describe, expect, it } from "vitest";
import { equalInConstantTime } from "../../../src/lib/constant-time.ts";

describe("equalInConstantTime", () => {
  it.each([
    ["", "", true],
    ["secret", "secret", true],
    ["secret", "Secret", false],
    ["secret", "secret ", false],
    ["secret", "", false],
    ["\u00e9", "e\u0301", false],
  ])("compares %j with %j", async (left, right, equal) => {
    expect(await equalInConstantTime(left, right)).toBe(equal);
  });
});
