import { expect, it } from "vitest";
import { differenceLines } from "../../../src/cli/folder/plan.ts";

it("shows each line of a text that moved, or that is there more or less often", () => {
  const linesOf = (before: string, after: string) =>
    differenceLines({ path: ["prompt"], before, after });
  expect(linesOf("a\nb\nc", "b\nc\na")).toEqual(["    prompt:", "-     a", "+     a"]);
  expect(linesOf("a\nb", "a\na\nb")).toEqual(["    prompt:", "+     a"]);
});
