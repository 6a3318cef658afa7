import { describe, expect, it } from "vitest";
import { attachment, ifMatch, isUnchanged } from "../../../src/http/headers.ts";
import { HttpProblem } from "../../../src/http/problem.ts";

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

describe("attachment", () => {
  it.each([
    ["prices.csv", `attachment; filename="prices.csv"; filename*=UTF-8''prices.csv`],
    ["für A", `attachment; filename="f_r A"; filename*=UTF-8''f%C3%BCr%20A`],
    ['a"b%41.csv', `attachment; filename="a_b_41.csv"; filename*=UTF-8''a%22b%2541.csv`],
    ["it's (1)*", `attachment; filename="it's (1)*"; filename*=UTF-8''it%27s%20%281%29%2A`],
    ["../../x", `attachment; filename=".._.._x"; filename*=UTF-8''.._.._x`],
    ["x\r\nA: b", `attachment; filename="x__A: b"; filename*=UTF-8''x__A%3A%20b`],
  ])("names %j", (name, header) => {
    expect(attachment(name)).toBe(header);
  });

  it("builds a valid header from any text", () => {
    for (const name of ["\ud800", "\u0000\u007f\u2028", "\u{1f600}", ""]) {
      expect(() => new Headers({ "Content-Disposition": attachment(name) })).not.toThrow();
    }
  });
});
