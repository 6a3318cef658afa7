import { describe, expect, it } from "vitest";
import { unsafePattern } from "../../../src/lib/pattern.ts";

describe("unsafePattern", () => {
  it.each([
    String.raw`^\d{4}-\d{2}-\d{2}$`,
    String.raw`^[A-Za-z0-9._%+-]+@[A-Za-z0-9.-]+\.[A-Za-z]{2,}$`,
    String.raw`^(\d{1,3}\.){3}\d{1,3}$`,
    String.raw`^https?://\S+$`,
    String.raw`^\p{L}+$`,
    "^(?:EUR|USD|GBP)$",
    "^(?:foo|bar)+$",
    "^(?:[A-Z]{2}|[a-z]+)?$",
    "",
  ])("lets %s pass", (pattern) => {
    expect(unsafePattern(pattern)).toBeNull();
  });

  it.each([
    "^(a+)+$",
    "^(a*)*$",
    "^(a|a)*$",
    "^(?:a|ab|b)*$",
    "^(a?){30}a{30}$",
    "^((a{0,9}){0,9}){0,9}$",
    "^(?:a{1,5}b?){50,}$",
    "^(x+x+)+y$",
    "^(a+){2}$",
    "a*a*a*a*b",
    String.raw`^(a+)\1+$`,
  ])("refuses %s, which can run away", (pattern) => {
    expect(unsafePattern(pattern)).not.toBeNull();
  });

  it.each(["(", "[z-a]", "a{2,1}", String.raw`\q`])("refuses %s, which is none", (pattern) => {
    expect(unsafePattern(pattern)).toContain("not a regular expression");
  });

  it("refuses a pattern that is too long to look at", () => {
    expect(unsafePattern("a".repeat(501))).toContain("longer");
  });
});
