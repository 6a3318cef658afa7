import { describe, expect, it } from "vitest";
import { extractTable } from "../../../../../../src/agent/tools/process-data/extract.ts";
import { jsonData, page, plain } from "../sources.ts";

const shop = page({
  tables: [
    {
      caption: "Opening hours",
      columns: ["Day", "Open"],
      rows: [
        ["Mon", "9"],
        ["Tue", ""],
      ],
    },
    {
      caption: "Price list 2024",
      columns: ["Item", "Price"],
      rows: [
        ["Mug", "$5"],
        ["Hat", "$9"],
      ],
    },
    {
      caption: "Price list 2023",
      columns: ["Item", "Old price", "Stock"],
      rows: [["Mug", "$4", "1"]],
    },
  ],
});

function columnsOf(choice: { index?: number; caption?: string; columns?: string[] }): unknown {
  const result = extractTable(shop, { kind: "table", ...choice });
  return result.ok ? result.value.table.columns : result.error.message;
}

describe("extractTable", () => {
  it("chooses by place, from 0 on", () => {
    expect(columnsOf({ index: 2 })).toEqual(["Item", "Old price", "Stock"]);
    expect(columnsOf({ index: 3 })).toBe("There is no table 3. The source has 3, counted from 0.");
  });

  it("chooses by words of the caption, in any order and case", () => {
    expect(columnsOf({ caption: "HOURS opening" })).toEqual(["Day", "Open"]);
    expect(columnsOf({ caption: "2023 price" })).toEqual(["Item", "Old price", "Stock"]);
  });

  it("lists the captions when none fits", () => {
    expect(columnsOf({ caption: "staff" })).toBe(
      'No table has the caption "staff". Captions: "Opening hours", "Price list 2024", "Price list 2023".',
    );
  });

  it("prefers the table with most of the wanted columns", () => {
    expect(columnsOf({ columns: ["day"] })).toEqual(["Day", "Open"]);
    expect(columnsOf({ columns: ["items", "stock"] })).toEqual(["Item", "Old price", "Stock"]);
  });

  it("notes the wanted columns that the best table lacks", () => {
    const result = extractTable(shop, { kind: "table", columns: ["day", "staff"] });
    expect(result).toMatchObject({
      ok: true,
      value: {
        table: { columns: ["Day", "Open"] },
        notes: ['The selected table has no column "staff".'],
      },
    });
  });

  it("takes the table with most filled cells when nothing is asked for", () => {
    expect(columnsOf({})).toEqual(["Item", "Price"]);
  });

  it("takes lists of objects inside JSON as tables captioned by their path", () => {
    const data = jsonData({
      meta: { tags: ["a"] },
      data: { users: [{ id: 1 }], teams: [{ t: 1 }, { t: 2 }] },
    });
    const chosen = extractTable(data, { kind: "table", caption: "users" });
    expect(chosen).toMatchObject({ value: { table: { columns: ["id"], rows: [[1]] } } });
    const fullest = extractTable(data, { kind: "table" });
    expect(fullest).toMatchObject({ value: { table: { columns: ["t"], rows: [[1], [2]] } } });
  });

  it("refuses a source without tables", () => {
    expect(extractTable(plain("no table"), { kind: "table" })).toMatchObject({
      ok: false,
      error: { code: "nothing_found" },
    });
  });
});
