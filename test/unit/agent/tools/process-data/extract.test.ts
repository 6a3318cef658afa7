import { describe, expect, it, test } from "vitest";
import {
  extractEmails,
  extractFrom,
  extractLists,
  extractTable,
  extractText,
} from "../../../../../src/agent/tools/process-data/extract.ts";
import {
  jsonSource,
  NO_ORIGIN,
  pageSource,
  plainSource,
  tableSource,
} from "../../../../../src/agent/tools/process-data/source.ts";
import type { Json } from "../../../../../src/contract/json.ts";
import type { PageContent } from "../../../../../src/contract/tools/web.ts";
import { pageContentOf } from "./run.ts";

const page = (parts: Partial<PageContent>) => pageSource(pageContentOf(parts));
const plain = (text: string) => plainSource(text, NO_ORIGIN);
const jsonData = (value: Json) => jsonSource(value, NO_ORIGIN);

describe("the links of a source", () => {
  const CUP = "https://en.wikipedia.org/wiki/Mug_(cup)";
  const table = { columns: ["u"], rows: [["https://x.org"]] };
  const HOME = ["https://x.org", "https://x.org"];

  it.each([
    ["a page", page({ links: [{ text: "Docs", url: CUP }] }), [["Docs", CUP]]],
    [
      "text",
      plain(`[Docs](https://x.org/a) (see ${CUP}), https://x.org.`),
      [["Docs", "https://x.org/a"], [CUP, CUP], HOME],
    ],
    ["JSON", jsonData({ a: [{ u: "https://x.org" }] }), [HOME]],
    ["rows", tableSource({ table, notes: [], cut: false }, NO_ORIGIN), [HOME]],
  ])("are found in %s", (_, source, rows) => {
    expect(extractFrom(source, { kind: "links" }).table).toEqual({
      columns: ["text", "url"],
      rows,
    });
  });
});

describe("the tables of Markdown", () => {
  const text = [
    "## Prices",
    "| name | price |",
    "| :--- | ---: |",
    "| Tea \\| green | 3 |",
    "|  | 4 |",
    "",
    "| no | table |",
    "## Stock",
    "| place |",
    "|---|",
  ].join("\n");

  it("take the heading above them as their caption", () => {
    const prices = {
      columns: ["name", "price"],
      rows: [
        ["Tea | green", "3"],
        ["", "4"],
      ],
    };
    expect(extractTable(plain(text), { kind: "table", caption: "prices" }).table).toEqual(prices);
    const stock = extractTable(plain(text), { kind: "table", index: 1 });
    expect(stock).toMatchObject({ caption: "Stock", table: { columns: ["place"], rows: [] } });
  });

  it("need a line of names and a line of hyphens", () => {
    for (const line of ["| a | b |\n| c | d |", "| --- | --- |", "a | b\n--- | ---"])
      expect(() => extractTable(plain(line), { kind: "table" })).toThrow("no table");
  });
});

describe("the headings of a source", () => {
  it("includes all levels", () => {
    const source = plain("# Shop\n\ntext\n\n## Mugs ##\n\n#hashtag\n\n### [Blue](https://x.org)");
    expect(extractFrom(source, { kind: "headings" }).table).toEqual({
      columns: ["level", "text"],
      rows: [
        [1, "Shop"],
        [2, "Mugs"],
        [3, "Blue"],
      ],
    });
  });
});

describe("extractLists", () => {
  it("includes bulleted, numbered and nested items, and no rules", () => {
    const text =
      "- one\n  * two **bold**\n3. three\n4) four\n- - -\n* * *\n-none\n• [five](https://x.org)\n";
    expect(extractLists(plain(text)).table).toEqual({
      columns: ["item"],
      rows: [["one"], ["two bold"], ["three"], ["four"], ["five"]],
    });
  });

  it("returns the items right under a heading, as a column of its name", () => {
    const source = plain("# Bread\n- old\n## Steps\n1. mix\n2. bake\n## Notes\n- cool");
    expect(extractLists(source, "Steps").table).toEqual({
      columns: ["Steps"],
      rows: [["mix"], ["bake"]],
    });
    expect(extractLists(source, "Tools").table.rows).toEqual([]);
  });
});

describe("extractText", () => {
  it("returns the whole as one cell with its address and title", () => {
    expect(extractText(page({ text: "Hello" })).table).toEqual({
      columns: ["url", "title", "text"],
      rows: [["https://shop.example/", "Shop", "Hello"]],
    });
  });

  it("keeps as much of a long text as fits an answer, in whole characters", () => {
    const { table, cut } = extractText(page({ text: "😀".repeat(300_000) }));
    expect(cut).toBe(true);
    expect(String(table.rows[0]?.[2])).toMatch(/^(😀)+$/u);
    expect(JSON.stringify(table.rows).length).toBeLessThanOrEqual(1024 * 1024);
  });
});

function emailsIn(text: string): unknown[] {
  return extractEmails(plain(text)).table.rows.flat();
}

describe("extractEmails", () => {
  test.each([
    ["Write to Info@Example.com.", ["info@example.com"]],
    ["a@x.org, b@x.org; a@X.org", ["a@x.org", "b@x.org"]],
    ["'quoted@x.org' o'brien@x.org", ["quoted@x.org", "o'brien@x.org"]],
    ["jürgen@müller.de", ["jürgen@müller.de"]],
    ["[mail](mailto:sales@x.org?subject=Hi)", ["sales@x.org"]],
  ])("finds the addresses of %j", (text, addresses) => {
    expect(emailsIn(text)).toEqual(addresses);
  });

  test.each([
    "user@localhost",
    "logo@2x.png",
    "pkg@1.2.3",
    "a..b@example.com",
    "a@-example.com",
    `${"x".repeat(65)}@example.com`,
  ])("finds no address in %j", (text) => {
    expect(emailsIn(text)).toEqual([]);
  });

  it("reads the recipients of mailto links, encoded ones too", () => {
    const source = page({
      links: [
        { text: "Write", url: "mailto:a%2Bb@x.org,c@x.org?cc=d@x.org" },
        { text: "Broken", url: "mailto:%zz" },
        { text: "Page", url: "https://x.org/?u=no" },
      ],
    });
    expect(extractEmails(source).table).toEqual({
      columns: ["email"],
      rows: [["a+b@x.org"], ["c@x.org"]],
    });
  });

  test.each(["a", "a.", "a@", "@", "a@a.", "a.b@c-", "%", "'"])(
    "runs in linear time on a long run of %j",
    (part) => {
      emailsIn(part.repeat(500_000));
    },
  );
});

const tableOf = (caption: string, columns: string[], ...rows: string[][]) => ({
  caption,
  columns,
  rows,
});
const shop = page({
  tables: [
    tableOf("Opening hours", ["Day", "Open"], ["Mon", "9"], ["Tue", ""]),
    tableOf("Price list 2024", ["Item", "Price"], ["Mug", "$5"], ["Hat", "$9"]),
    tableOf("Price list 2023", ["Item", "Old price", "Stock"], ["Mug", "$4", "1"]),
  ],
});

function columnsOf(choice: { index?: number; caption?: string }): unknown {
  return extractTable(shop, { kind: "table", ...choice }).table.columns;
}

describe("extractTable", () => {
  it("chooses by index from 0, else the table with most filled cells", () => {
    expect(columnsOf({})).toEqual(["Item", "Price"]);
    expect(columnsOf({ index: 2 })).toEqual(["Item", "Old price", "Stock"]);
    expect(() => columnsOf({ index: 3 })).toThrow(
      "There is no table 3. The source has 3, counted from 0.",
    );
  });

  it("chooses by words of the caption, in any order and case, and lists the captions if none matches", () => {
    expect(columnsOf({ caption: "HOURS opening" })).toEqual(["Day", "Open"]);
    expect(columnsOf({ caption: "2023 price" })).toEqual(["Item", "Old price", "Stock"]);
    expect(() => columnsOf({ caption: "staff" })).toThrow(
      'No table has the caption "staff". Captions: "Opening hours", "Price list 2024", "Price list 2023".',
    );
  });

  it("treats lists of objects inside JSON as tables captioned by their path", () => {
    const data = jsonData({
      meta: { tags: ["a"] },
      data: { users: [{ id: 1 }], teams: [{ t: 1 }, { t: 2 }] },
    });
    const chosen = extractTable(data, { kind: "table", caption: "users" });
    expect(chosen).toMatchObject({ table: { columns: ["id"], rows: [[1]] } });
    const fullest = extractTable(data, { kind: "table" });
    expect(fullest).toMatchObject({ table: { columns: ["t"], rows: [[1], [2]] } });
  });

  it("refuses a source without tables", () => {
    expect(() => extractTable(plain("no table"), { kind: "table" })).toThrow(
      expect.objectContaining({ code: "nothing_found" }),
    );
  });
});
