import { describe, expect, it, test } from "vitest";
import { findColumn, normalizeName } from "../../../../../../src/agent/tools/process-data/table.ts";

describe("normaliseName", () => {
  test.each([
    ["Unit Price", "unitprice"],
    ["unit_price", "unitprice"],
    ["UNIT-PRICE ", "unitprice"],
    ["Ｕnit\u00a0price", "unitprice"],
  ])("makes %j %j", (name, normal) => {
    expect(normalizeName(name)).toBe(normal);
  });
});

describe("findColumn", () => {
  const columns = ["Name", "Unit Price", "unit_cost", "Categories", "name", "Class"];

  test.each([
    ["Name", 0],
    ["name", 4],
    ["NAME", 0],
    ["unit-price", 1],
    ["unit prices", 1],
    ["Unit Cost", 2],
    ["category", 3],
    ["cat", 3],
    ["cla", 5],
  ])("finds %j at %d", (wanted, index) => {
    expect(findColumn(columns, wanted)).toEqual({ ok: true, index });
  });

  it("does not choose between columns that start alike", () => {
    expect(findColumn(columns, "unit")).toEqual({
      ok: false,
      message: '"unit" matches several columns: "Unit Price", "unit_cost".',
    });
  });

  it("names the columns there are when it finds none", () => {
    expect(findColumn(["a", "b"], "price")).toEqual({
      ok: false,
      message: 'There is no column "price". Columns: "a", "b".',
    });
  });

  it("does not find every column by a name of separators only", () => {
    expect(findColumn(["a"], "_")).toMatchObject({ ok: false });
    expect(findColumn(["-"], "-")).toEqual({ ok: true, index: 0 });
  });

  it("shortens a long list of columns", () => {
    const many = Array.from({ length: 40 }, (_, index) => `c${index}`);
    expect(findColumn(many, "x")).toMatchObject({
      message: expect.stringContaining("and 10 more"),
    });
  });
});
