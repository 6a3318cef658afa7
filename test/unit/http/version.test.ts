import { describe, expect, it } from "vitest";
import { HttpProblem } from "../../../src/http/problem.ts";
import { ifMatch, isUnchanged } from "../../../src/http/version.ts";

describe("If-Match", () => {
  it.each([
    [undefined, null],
    ["*", null],
    ['"7"', 7],
    [' "0" ', 0],
  ])("%j asks for version %j", (header, version) => {
    expect(ifMatch(header)).toBe(version);
  });

  it.each(["", "7", 'W/"7"', '"7", "8"', '"-1"', '"x"', '"1e3"', `"${"9".repeat(16)}"`])(
    "%j is refused",
    (header) => {
      expect(() => ifMatch(header)).toThrow(HttpProblem);
    },
  );
});

describe("If-None-Match", () => {
  it.each([
    [undefined, false],
    ["", false],
    ['"6"', false],
    ["7", false],
    ['"7"', true],
    ['W/"7"', true],
    ['"6", W/"7"', true],
    ["*", true],
  ])("%j against version 7: unchanged is %j", (header, unchanged) => {
    expect(isUnchanged(header, 7)).toBe(unchanged);
  });
});
