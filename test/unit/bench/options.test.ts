import { expect, test } from "vitest";
import { PARTS, readOptions } from "../../../bench/options.ts";

test("runs all parts when none is named, and writes no file", () => {
  const { parts, json } = readOptions([]);
  expect(parts).toEqual(PARTS);
  expect(json).toBeNull();
});

test("runs the named parts in their own order", () => {
  const args = ["--only", "costs, baseline", "--json", "figures.json"];
  expect(readOptions(args)).toMatchObject({ parts: ["baseline", "costs"], json: "figures.json" });
});

test("makes the loads shorter, but for the number of sessions that is given", () => {
  const { scale } = readOptions(["--quick", "--sessions", "10000"]);
  expect(scale).toMatchObject({ connections: 16, sustainedMs: 3_000, sessions: 10_000 });
});

test.each([
  [["--only", "baseline,speed"], `Unknown part "speed". The parts are ${PARTS.join(", ")}.`],
  [["--only", ""], 'Unknown part ""'],
  [["--sessions", "many"], "It must be a whole number from 1."],
  [["--fast"], "Usage: npm run bench"],
  [["baseline"], "Usage: npm run bench"],
])("reports what is wrong with %j", (args, message) => {
  expect(() => readOptions(args)).toThrow(message);
});
