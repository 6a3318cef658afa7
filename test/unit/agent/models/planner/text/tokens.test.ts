import { expect, test } from "vitest";
import { tokenize } from "../../../../../../src/agent/models/planner/text/tokens.ts";

test.for([
  ["$1,200.50", { kind: "number", value: 1200.5, unit: "USD" }],
  ["60 million", { kind: "number", value: 60e6, unit: "" }],
  ["12 %", { kind: "number", value: 12, unit: "%" }],
  ["3rd", { kind: "ordinal", value: 3 }],
  ["1 March 2026", { kind: "date", from: "2026-03-01", until: "2026-03-02" }],
  ["March 2026", { kind: "date", from: "2026-03-01", until: "2026-04-01" }],
  ["9:05", { kind: "time", value: "09:05" }],
  ['"Red Lamp"', { kind: "quote", value: "Red Lamp" }],
  ["ann@example.org", { kind: "email", address: "ann@example.org" }],
  ["prices.xlsx", { kind: "file", name: "prices.xlsx", extension: "xlsx" }],
  ["http://a.test/x?y=1", { kind: "url", url: "http://a.test/x?y=1" }],
] as const)("reads %s as one literal", ([text, literal]) => {
  const tokens = tokenize(text);
  expect(tokens).toHaveLength(1);
  expect(tokens[0]).toMatchObject(literal);
});

test("leaves the punctuation of the sentence out of an address", () => {
  expect(tokenize("See (http://a.test/b).").find(({ kind }) => kind === "url")?.text).toBe(
    "http://a.test/b",
  );
});

test("reads a table of lines as data", () => {
  const data = tokenize("Sum this:\nname,price\nTea,3\nCake,4").find(({ kind }) => kind === "data");
  expect(data).toMatchObject({ format: "csv", data: "name,price\nTea,3\nCake,4" });
});

test("gives the first of two days the month of the second", () => {
  expect(tokenize("5 and 13 June 2026")[0]).toMatchObject({ kind: "date", from: "2026-06-05" });
});

test("reads an apostrophe within a word as no quotation", () => {
  expect(tokenize("Ann's list isn't Bob's").some(({ kind }) => kind === "quote")).toBe(false);
});
