import { describe, expect, it } from "vitest";
import { tableOf } from "../../../../src/dashboard/pages/executions/values.tsx";

describe("a list of objects", () => {
  it("is a table if all have the same plain fields", () => {
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
  ])("is not a table if there is %s", (_, value) => {
    expect(tableOf(value)).toBeNull();
  });
});
