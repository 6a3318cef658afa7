import fc from "fast-check";
import { expect, it } from "vitest";
import { prettyJson } from "../../../src/docs/json.ts";

it("keeps what is short on one line and lays out the rest", () => {
  expect(prettyJson({ id: 1, list: [], none: {} })).toBe('{ "id": 1, "list": [], "none": {} }');
  const long = { text: "x".repeat(70), list: [{ a: 1 }, "y".repeat(70)] };
  expect(prettyJson(long)).toBe(
    `{\n  "text": "${"x".repeat(70)}",\n  "list": [\n    { "a": 1 },\n    "${"y".repeat(70)}"\n  ]\n}`,
  );
});

it("says the same as the value, whatever it is", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(JSON.parse(prettyJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});
