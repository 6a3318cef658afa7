import { describe, expect, it } from "vitest";
import { piecesOf, tableOf } from "../../../../src/dashboard/pages/executions/values.tsx";

describe("a list of objects", () => {
  it("is a table where all have the same plain fields", () => {
    const list = [
      { name: "Acme", total: 120.5 },
      { name: "Birch", total: null },
    ];
    const rows = [
      ["Acme", 120.5],
      ["Birch", null],
    ];
    expect(tableOf(list)).toEqual({ columns: ["name", "total"], rows });
  });

  it.each([
    ["nothing", []],
    ["no list", { a: 1 }],
    ["no objects", [1, 2]],
    ["objects with other fields", [{ a: 1 }, { b: 1 }]],
    ["an object without fields", [{}]],
    ["objects within objects", [{ a: { b: 1 } }]],
    ["more columns than fit", [Object.fromEntries(Array.from({ length: 13 }, (_, n) => [n, n]))]],
  ])("is none where there is %s", (_, value) => {
    expect(tableOf(value)).toBeNull();
  });
});

describe("a text with a table", () => {
  it("comes apart into what is before, the table and what is behind", () => {
    const text = "Found:\n\n| a | b |\n| --- | :-: |\n| 1 | x \\| y |\n| 2 |\n\nThat is all.\n";
    const rows = [
      ["1", "x | y"],
      ["2", ""],
    ];
    expect(piecesOf(text)).toEqual([
      { text: "Found:" },
      { table: { columns: ["a", "b"], rows } },
      { text: "That is all." },
    ]);
  });

  it.each([
    "One line.\n  And one more.",
    "| no | dashes |\n| 1 | 2 |",
    "| a | b |\n| --- |",
    "a | b",
  ])("is one piece where there is no table: %j", (text) => {
    expect(piecesOf(text)).toEqual([{ text }]);
  });
});
