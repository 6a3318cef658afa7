import { describe, expect, it, test } from "vitest";
import { delimiterOf, readCsv } from "../../../../../src/agent/tools/process-data/source.ts";
import { type Json, json } from "../../../../../src/contract/json.ts";
import type { ToolAnswer } from "../../../../../src/contract/tools/call.ts";
import { dataContent } from "../../../../../src/contract/tools/data.ts";
import { toolContext } from "../support.ts";
import { contentOf, pageContentOf, run } from "./run.ts";

describe("readCsv", () => {
  test.each([
    ["commas", "name,price\nmug,4\n"],
    ["semicolons", "name;price\nmug;4"],
    ["tabs", "name\tprice\r\nmug\t4"],
    ["bars", "name|price\nmug|4"],
  ])("finds the delimiter of text with %s", (_, text) => {
    expect(readCsv(text).table).toEqual({ columns: ["name", "price"], rows: [["mug", "4"]] });
  });

  test.each([
    ["two columns and a last line break", "name;price\nmug;4\n", ["name", "price"]],
    ["decimal commas in one column", "id;price\n1;1,50\n2;2,50\n", ["id", "price"]],
    ["decimal commas in each column", "low;high\n1,5;2,5\n3,5;4,5\n", ["low", "high"]],
    ["commas in a text", "name;note\nmug;a, b, c\nhat;d\n", ["name", "note"]],
  ])("finds semicolons with %s", (_, text, columns) => {
    const { table } = readCsv(text);
    expect(table.columns).toEqual(columns);
    expect(table.rows).toHaveLength(text.split("\n").length - 2);
  });

  it("says that it is cut, whatever blank lines it has", () => {
    expect(readCsv("v\n\n".repeat(210_000)).cut).toBe(true);
  });

  it("keeps delimiters, quotes and line breaks inside quotes", () => {
    const { table } = readCsv('name,note\n"Mug, blue","said ""hi""\nand left"\n');
    expect(table.rows).toEqual([["Mug, blue", 'said "hi"\nand left']]);
  });

  it.each(['"Monitor 24 inch,100', '"Monitor" 24 inch,100'])(
    "notes a quote that hides the rows behind it: %s",
    (line) => {
      const { notes } = readCsv(`name,price\nCable,5\n${line}\nMouse,20\n`);
      expect(notes).toEqual([expect.stringContaining("Row 3 has a quote that does not close")]);
    },
  );

  it("drops a byte order mark and blank lines", () => {
    expect(readCsv("\ufeffa,b\n\n1,2\n , \n").table).toEqual({
      columns: ["a", "b"],
      rows: [["1", "2"]],
    });
  });

  it.each(["mug,4\nhat,9", "2024-01-02,a\n2024-01-03,b", "ann@example.com,x\nbob@example.com,y"])(
    "numbers the columns when the first row is data: %j",
    (text) => {
      const { table } = readCsv(text);
      expect(table.columns).toEqual(["Column 1", "Column 2"]);
      expect(table.rows).toHaveLength(2);
    },
  );

  it("treats years in the first row as names", () => {
    const { columns } = readCsv("country,2020,2021\nNorway,5,6").table;
    expect(columns).toEqual(["country", "2020", "2021"]);
  });

  it("fills short rows and names the columns of long ones", () => {
    expect(readCsv("a,b\n1\n1,2,3").table).toEqual({
      columns: ["a", "b", "Column 3"],
      rows: [
        ["1", null, null],
        ["1", "2", "3"],
      ],
    });
  });

  it("makes equal and blank names distinct", () => {
    const { columns } = readCsv("a,a,,a 2,a\n1,2,3,4,5").table;
    expect(columns).toEqual(["a", "a 2", "Column 3", "a 2 2", "a 3"]);
  });

  test.each([
    ["quotes", '"'.repeat(50_000)],
    ["broken quotes", '"a"b,'.repeat(10_000)],
    ["delimiters", ",".repeat(50_000)],
    ["an unclosed quote on each line", '"a,b\n'.repeat(10_000)],
    ["nothing", ""],
  ])("survives a text of %s", (_, text) => {
    const { table } = readCsv(text);
    expect(table.rows.every((row) => row.length === table.columns.length)).toBe(true);
  });
});

describe("delimiterOf", () => {
  test.each([
    ["a,b\n1,2", ","],
    ["a;b;c\n1;2;3\n4;5;6", ";"],
    ["a,b", null],
    ["one line\nanother line", null],
    ["Hello, world.\nThis is text without any.", null],
    ["", null],
  ])("finds in %j %j", (text, delimiter) => {
    expect(delimiterOf(text)).toBe(delimiter);
  });
});

/** An answer as it comes back from the store. */
function ok(content: unknown): ToolAnswer {
  return { ok: true, content: json.parse(JSON.parse(JSON.stringify(content))) };
}

function response(parts: { [key: string]: Json }): ToolAnswer {
  const head = { url: "https://api.example/", status: 200, headers: {}, cut: false };
  return ok({ ...head, mediaType: "application/json", ...parts });
}

const products = response({
  json: {
    items: [
      { name: "Mug", price: 4.5 },
      { name: "Hat", price: 9.25 },
    ],
  },
});

describe("process_data on JSON text", () => {
  it("keeps every digit of a long id", async () => {
    const data = '[{"id": 9007199254740993, "n": 1}, {"id": 12345678901234567891, "n": 0.5}]';
    const content = await contentOf({ sources: [{ data }], extract: { kind: "json", path: "" } });
    expect(content.rows).toEqual([
      ["9007199254740993", 1],
      ["12345678901234567891", 0.5],
    ]);
  });
});

describe("process_data on what code returned", () => {
  const rows = [
    ["Mint", 4],
    ["Rye", 2],
  ];

  it.each<[string, Json, Json]>([
    ["a list of objects", rows.map(([name, price]) => ({ name: name ?? 0, price: price ?? 0 })), 2],
    ["rows under columns", { columns: ["name", "price"], rows }, 2],
    ["CSV", "name,price\nMint,4\nRye,2", "2"],
  ])("works on %s", async (_, value, price) => {
    const { answer, basedOn } = await run(
      {
        sources: [{ callId: "c1" }],
        extract: { kind: "table" },
        operations: [{ op: "filter", column: "price", test: "lt", value: 3 }],
      },
      { c1: { ok: true, content: { value, console: [], cut: false } } },
    );
    const content = { columns: ["name", "price"], rows: [["Rye", price]] };
    expect(answer).toMatchObject({ ok: true, content });
    expect(basedOn).toEqual(["c1"]);
  });
});

describe("process_data on too much", () => {
  it("notes cuts of the rows that it read and of those that it returns", async () => {
    const result = async (data: string, operations: object[]) => {
      const input = { sources: [{ data }], extract: { kind: "table" }, operations };
      const { answer, cut } = await run(input);
      if (!answer.ok) throw new Error(answer.error.message);
      return { cut, content: dataContent.parse(answer.content) };
    };
    const count = { op: "aggregate", aggregates: [{ fn: "count" }] };
    const tooMany = `a,b\n${"1,2\n".repeat(210_000)}`;
    expect(await result(tooMany, [count])).toMatchObject({
      cut: "400000 cells",
      content: { rows: [[200_000]], cutAt: "400000 cells" },
    });
    const tooLong = `a,b\n${`1,${"x".repeat(200)}\n`.repeat(6_000)}`;
    expect((await result(tooLong, [count])).cut).toBeUndefined();
    const { cut, content } = await result(tooLong, []);
    expect(cut).toBe(`${content.rows.length} of 6000 rows`);
    expect(content).toMatchObject({
      cut: true,
      rowCount: 6_000,
      notes: [
        `Only the first ${content.rows.length} of 6000 rows fit the answer. Filter the rows or select fewer columns to read the others.`,
      ],
    });
    expect(JSON.stringify(content.rows).length).toBeLessThanOrEqual(1024 * 1024);
  });

  it("is based on every cut source that the model had read if the text is the model's own", async () => {
    const source = { data: "a\n1", format: "csv" };
    const context = toolContext({ earlier: { c1: products }, cutReads: ["page"] });
    const process = (sources: object[]) => run({ sources, extract: { kind: "text" } }, {}, context);
    expect((await process([source])).basedOn).toEqual(["page"]);
    expect((await process([{ callId: "c1" }])).basedOn).toEqual(["c1"]);
  });
});

describe("process_data on earlier calls", () => {
  it("processes the JSON of an HTTP answer and names the call that it is based on", async () => {
    const result = await run(
      {
        sources: [{ callId: "c1" }],
        extract: { kind: "json", path: "items" },
        operations: [{ op: "aggregate", aggregates: [{ fn: "sum", column: "price" }] }],
      },
      { c1: products },
    );
    expect(result).toEqual({
      answer: {
        ok: true,
        content: { columns: ["sum of price"], rows: [[13.75]], rowCount: 1, notes: [], cut: false },
      },
      basedOn: ["c1"],
    });
  });

  it("processes its own answers", async () => {
    const data = {
      columns: ["Name", "Price"],
      rows: [["Mug", "$4"]],
      rowCount: 1,
      notes: [],
      cut: false,
    };
    const table = { sources: [{ callId: "c1" }], extract: { kind: "table" } };
    expect(await contentOf(table, { c1: ok(data) })).toEqual(data);
    const path = { sources: [{ callId: "c1" }], extract: { kind: "json", path: "[0].Price" } };
    expect((await contentOf(path, { c1: ok(data) })).rows).toEqual([["$4"]]);
  });

  it("processes pages, and browsed files that are not HTML", async () => {
    const rows = [
      ["Mug", "$5"],
      ["Hat", "$12"],
    ];
    const page = pageContentOf({
      tables: [{ caption: "Prices", columns: ["Item", "Price"], rows }],
    });
    const csv = pageContentOf({ mediaType: "text/csv", text: "item,price\nMug,$5\nHat,$12" });
    for (const content of [page, csv]) {
      const input = { sources: [{ callId: "p" }], extract: { kind: "table" } };
      expect((await contentOf(input, { p: ok(content) })).rows).toEqual(rows);
    }
  });

  it.each([
    ["text/csv", "name,price\nMug,4"],
    ["text/plain", "name;price\nMug;4"],
    ["text/html", "Our products: <table><tr><th>name<th>price<tr><td>Mug<td>4</table>"],
    ["text/html; charset=utf-8", "<table><tr><th>name<th>price<tr><td>Mug<td>4</table>"],
    ["application/octet-stream", '[{"name": "Mug", "price": "4"}]'],
  ])("reads a body of %s", async (mediaType, text) => {
    const table = { sources: [{ callId: "c" }], extract: { kind: "table" } };
    const fetched = await contentOf(table, { c: response({ mediaType, text }) });
    expect(fetched).toMatchObject({ columns: ["name", "price"], rows: [["Mug", "4"]] });
  });

  it("combines the rows of several sources, and notes skipped empty ones", async () => {
    const result = await run(
      {
        sources: [
          { callId: "a" },
          { callId: "lost" },
          { callId: "broken" },
          { data: "Name,Price\nHat,9", format: "csv" },
        ],
        extract: { kind: "table" },
      },
      {
        a: response({ json: [{ name: "Mug", price: 4 }] }),
        broken: { ok: false, error: { code: "timeout", message: "It took too long." } },
      },
    );
    expect(result).toEqual({
      answer: {
        ok: true,
        content: {
          columns: ["name", "price"],
          rows: [
            ["Mug", 4],
            ["Hat", "9"],
          ],
          rowCount: 2,
          notes: [
            "lost: There is no earlier call lost.",
            "broken: The call broken failed: It took too long.",
          ],
          cut: false,
        },
      },
      basedOn: ["a"],
    });
  });

  it.each([
    ["unknown_call", {}],
    ["unreadable_source", { c: ok({ outputId: "o" }) }],
  ])("refuses if no source has the requested data: %s", async (code, earlier) => {
    const input = { sources: [{ callId: "c" }], extract: { kind: "text" } };
    expect(await run(input, earlier)).toEqual({
      answer: { ok: false, error: { code, message: expect.any(String) } },
    });
  });

  it("notes that a page was cut earlier", async () => {
    const input = { sources: [{ callId: "p" }], extract: { kind: "text" } };
    const content = await contentOf(input, { p: ok(pageContentOf({ text: "a", cut: true })) });
    expect(content).toMatchObject({
      cut: true,
      notes: ["The data was too long, so part of it is left out."],
    });
  });
});

describe("process_data on given text", () => {
  it("detects formats", async () => {
    const table = async (data: string) =>
      (await contentOf({ sources: [{ data }], extract: { kind: "table" } })).rows;
    expect(await table('[{"a": "1"}]')).toEqual([["1"]]);
    expect(await table("a,b\n1,2")).toEqual([["1", "2"]]);
    expect(await table("<table><tr><th>a</th></tr><tr><td>1</td></tr></table>")).toEqual([["1"]]);
  });

  it("returns no rows with a note if there are no e-mail addresses", async () => {
    const content = await contentOf({ sources: [{ data: "none" }], extract: { kind: "emails" } });
    expect(content).toMatchObject({ columns: ["email"], rows: [], notes: ["No emails found."] });
  });

  it("reads the absolute links and lists of given HTML", async () => {
    const data =
      "<h1>Shop</h1><ol><li><h3><a href=/1>Mug</a></h3><p>$5</p><p>In stock</p></li>" +
      "<li><h3><a href=/2>Hat</a></h3><p>$9 <s>$12</s></p><p>In stock</p></li></ol>" +
      '<a href="mailto:ann@example.com">Ann</a> <a href="https://example.com/">Home</a>';
    const rowsOf = async (kind: string) =>
      (await contentOf({ sources: [{ data, format: "html" }], extract: { kind } })).rows;
    expect(await rowsOf("emails")).toEqual([["ann@example.com"]]);
    expect(await rowsOf("links")).toContainEqual(["Home", "https://example.com/"]);
    expect(await rowsOf("lists")).toEqual([["Mug"], ["Hat"]]);
  });

  it("does not add an escape's letter to an address inside JSON", async () => {
    const data = JSON.stringify({ note: "to:\nann@example.com\tbob@example.com" });
    const content = await contentOf({ sources: [{ data }], extract: { kind: "emails" } });
    expect(content.rows).toEqual([["ann@example.com"], ["bob@example.com"]]);
  });

  it.each([
    ["text that is not the JSON it is said to be", "{", "json"],
    ["JSON that nests without end", "[".repeat(200_000) + "]".repeat(200_000), "json"],
    ["such JSON of no stated format", "[".repeat(200_000) + "]".repeat(200_000), "auto"],
  ])("refuses %s", async (_, data, format) => {
    const input = { sources: [{ data, format }], extract: { kind: "json", path: "" } };
    expect((await run(input)).answer).toMatchObject({ error: { code: "unreadable_source" } });
  });
});
