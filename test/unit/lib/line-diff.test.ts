import { expect, it } from "vitest";
import { lineDiff } from "../../../src/lib/line-diff.ts";

const SIGNS = { same: " ", removed: "-", added: "+" };
const signed = (before: string, after: string) =>
  lineDiff(before, after).map(({ kind, text }) => SIGNS[kind] + text);

it.each([
  ["equal texts", "a\nb", "a\nb", [" a", " b"]],
  ["a changed line", "a\nb\nc", "a\nx\nc", [" a", "-b", "+x", " c"]],
  ["an added line", "a\nc", "a\nb\nc", [" a", "+b", " c"]],
  ["a removed last line", "a\nb", "a", [" a", "-b"]],
  ["a moved line", "a\nb\nc", "b\nc\na", ["-a", " b", " c", "+a"]],
])("shows %s", (_, before, after, expected) => {
  expect(signed(before, after)).toEqual(expected);
});

it("shows texts of too many lines as replaced", () => {
  const text = (name: string) =>
    Array.from({ length: 1_001 }, (_, at) => `${name}${at}`).join("\n");
  const lines = lineDiff(text("a"), `${text("b")}`);
  expect(lines.slice(0, 1_001).every(({ kind }) => kind === "removed")).toBe(true);
  expect(lines.slice(1_001).every(({ kind }) => kind === "added")).toBe(true);
});
