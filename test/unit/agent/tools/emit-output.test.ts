import { describe, expect, it } from "vitest";
import { emitOutput } from "../../../../src/agent/tools/emit-output.ts";
import { readPage } from "../../../../src/agent/tools/page/read-page.ts";
import type { Json } from "../../../../src/contract/json.ts";
import type { ToolAnswer } from "../../../../src/contract/tools/call.ts";
import { toolContext } from "./support.ts";

const PAGE_URL = "https://example.com/";
const ONE_TABLE = "<h1>Teas</h1><table><tr><th>Name<th>Price<tr><td>Mint<td>4</table>";

const data = (columns: string[], rows: (string | number | null)[][]): ToolAnswer => ({
  ok: true,
  content: { columns, rows, rowCount: rows.length, notes: [], cut: false },
});
const page = (html: string): ToolAnswer => ({ ok: true, content: readPage(html, PAGE_URL).page });
const response = (body: Record<string, unknown> & object, mediaType: string): ToolAnswer => ({
  ok: true,
  content: JSON.parse(
    JSON.stringify({ url: PAGE_URL, status: 200, mediaType, headers: {}, cut: false, ...body }),
  ),
});

const code = (value: Json): ToolAnswer => ({
  ok: true,
  content: { value, console: [], cut: false },
});

const earlier: Record<string, ToolAnswer> = {
  objects: code([
    { name: "Mint", shop: { city: "Bonn" } },
    { name: "Rye", price: 2 },
  ]),
  columns: code({ columns: ["n"], rows: [[1], [2]] }),
  uneven: code({ columns: ["n"], rows: [[1, 2]] }),
  nothing: code([]),
  object: code({ columns: "no", total: 4 }),
  csv: code("a,b\n1,2"),
  data: data(
    ["name", "price"],
    [
      ["Mint", 4.2],
      ["=cmd()", -1],
    ],
  ),
  figure: data(["sum"], [[42]]),
  page: page(ONE_TABLE),
  tables: page(ONE_TABLE + ONE_TABLE),
  json: response({ json: { a: [1] } }, "application/json"),
  words: response({ text: "hello" }, "text/plain"),
  numbers: response({ json: [[[Array.from({ length: 150_000 }, () => 1)]]] }, "application/json"),
  failed: { ok: false, error: { code: "timeout", message: "late" } },
  emitted: { ok: true, content: { label: "x" } },
};

async function emit(raw: object) {
  const input = emitOutput.input.parse({ label: "My Result", ...raw });
  const {
    answer,
    outputs = [],
    basedOn,
  } = await emitOutput.run(input, toolContext({ earlier, cuts: { figure: "2 MiB" } }));
  return { answer, output: outputs[0], basedOn };
}

const TABLE = { columns: ["a"], rows: [[1], [null]] };
const textOf = (bytes: Uint8Array | undefined) => new TextDecoder().decode(bytes);

describe("a text", () => {
  it.each([
    [{ value: "hello" }, "hello", "text/plain", "TEXT"],
    [{ value: { a: 1 } }, '{\n  "a": 1\n}', "application/json", "TEXT"],
    [
      { from: "page" },
      "# Teas\n\n| Name | Price |\n| --- | --- |\n| Mint | 4 |",
      "text/markdown",
      "WEB_PAGE",
    ],
    [
      { from: "data" },
      "| name | price |\n| --- | --- |\n| Mint | 4.2 |\n| =cmd() | -1 |",
      "text/markdown",
      "DATA_EXTRACTION",
    ],
    [{ from: "figure" }, "42", "text/plain", "DATA_EXTRACTION"],
    [{ from: "words" }, "hello", "text/plain", "HTTP_RESPONSE"],
    [{ from: "json" }, '{\n  "a": [\n    1\n  ]\n}', "application/json", "HTTP_RESPONSE"],
  ])("is made from %j", async (source, value, mediaType, nodeType) => {
    const { output } = await emit({ type: "text", ...source });
    expect(output).toEqual({ label: "My Result", type: "text", nodeType, mediaType, value });
  });
});

describe("JSON and tables", () => {
  it.each([
    ["json", { value: [1, "a"] }, [1, "a"], "STRUCTURED_RESULT"],
    ["json", { from: "json" }, { a: [1] }, "HTTP_RESPONSE"],
    [
      "json",
      { from: "data" },
      [
        { name: "Mint", price: 4.2 },
        { name: "=cmd()", price: -1 },
      ],
      "DATA_EXTRACTION",
    ],
    ["json", { from: "page" }, expect.objectContaining({ url: PAGE_URL }), "WEB_PAGE"],
    ["json", { from: "object" }, { columns: "no", total: 4 }, "CODE_RESULT"],
    ["table", { value: TABLE }, TABLE, "TABLE_EXTRACTION"],
    ["table", { from: "figure" }, { columns: ["sum"], rows: [[42]] }, "TABLE_EXTRACTION"],
    [
      "table",
      { from: "page" },
      { columns: ["Name", "Price"], rows: [["Mint", "4"]] },
      "TABLE_EXTRACTION",
    ],
  ])("%s is made from %j", async (type, source, value, nodeType) => {
    const { output } = await emit({ type, ...source });
    expect(output).toMatchObject({ type, nodeType, mediaType: "application/json", value });
  });
});

describe("a table of what code returned", () => {
  it("is made from a list of objects, and from rows under columns", async () => {
    const rows = [
      ["Mint", "Bonn", null],
      ["Rye", null, 2],
    ];
    expect(await emit({ type: "table", from: "objects" })).toMatchObject({
      output: { nodeType: "CODE_RESULT", value: { columns: ["name", "shop.city", "price"], rows } },
      basedOn: ["objects"],
    });
    const { output } = await emit({ type: "table", from: "columns" });
    expect(output).toMatchObject({ value: { columns: ["n"], rows: [[1], [2]] } });
  });

  it.each([
    ["uneven", "Row 1 has 2 values for 1 columns."],
    ["nothing", "empty list"],
    ["object", "list of objects"],
    ["csv", "list of objects"],
  ])("is refused for %s", async (from, message) => {
    const { answer } = await emit({ type: "table", from });
    expect(answer).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining(message) },
    });
  });

  it("is CSV in a file, as is a text that is already CSV", async () => {
    const table = await emit({ type: "file", filename: "a.csv", from: "columns" });
    expect(textOf(table.output?.bytes)).toBe("n\r\n1\r\n2");
    const text = await emit({ type: "file", filename: "a.csv", from: "csv" });
    expect(textOf(text.output?.bytes)).toBe("a,b\n1,2");
  });
});

describe("a file", () => {
  it("of data is CSV, in which nothing runs as a formula", async () => {
    const { output } = await emit({ type: "file", from: "data" });
    expect(output).toMatchObject({
      nodeType: "SPREADSHEET",
      filename: "my-result.csv",
      mediaType: "text/csv",
    });
    expect(textOf(output?.bytes)).toBe('name,price\r\nMint,4.2\r\n"\'=cmd()",-1');
    expect(output).not.toHaveProperty("value");
  });

  it.each(["+1", "@SUM(A1)", "\t=1", "-1+cmd|' /C calc'!A0", "\n=1+1", "＝1+1", "\ufeff=1+1"])(
    "escapes the formula %j in CSV",
    async (formula) => {
      const value = { columns: [formula], rows: [[formula]] };
      const { output } = await emit({ type: "file", filename: "a.csv", value });
      for (const cell of textOf(output?.bytes).split("\r\n")) expect(cell).toMatch(/^"?'/);
    },
  );

  it("keeps negative numbers, objects and separators readable in CSV", async () => {
    const value = {
      columns: ["a", "b"],
      rows: [
        ["-1,5", { x: 1 }],
        [" -5%", 'say "hi"'],
        [null, "a=b"],
        ["-$5.20", "-€5"],
      ],
    };
    const { output } = await emit({ type: "file", mediaType: "text/csv", value });
    expect(textOf(output?.bytes)).toBe(
      'a,b\r\n"-1,5","{""x"":1}"\r\n" -5%","say ""hi"""\r\n,a=b\r\n-$5.20,-€5',
    );
  });

  it.each([
    [{ value: "a,b", filename: "x.csv" }, "a,b", "text/csv", "SPREADSHEET"],
    [{ value: "# T", filename: "x.md" }, "# T", "text/markdown", "FILE"],
    [{ value: { a: 1 }, filename: "x.json" }, '{\n  "a": 1\n}', "application/json", "FILE"],
    [
      { from: "data", filename: "x.json" },
      expect.stringContaining('"name": "Mint"'),
      "application/json",
      "FILE",
    ],
    [{ from: "page", filename: "x.csv" }, "Name,Price\r\nMint,4", "text/csv", "SPREADSHEET"],
    [{ from: "page" }, expect.stringMatching(/^# Teas/), "text/markdown", "FILE"],
    [{ from: "words" }, "hello", "text/plain", "FILE"],
  ])("is made from %j", async (source, text, mediaType, nodeType) => {
    const { output } = await emit({ type: "file", ...source });
    expect(output).toMatchObject({ mediaType, nodeType });
    expect(textOf(output?.bytes)).toEqual(text);
  });
});

it("notes a cut source in a file that has room for words", async () => {
  const note = "Note: based on a source that was cut at 2 MiB; figures may be incomplete.";
  const textIn = async (filename: string, more: object = {}) =>
    textOf((await emit({ type: "file", filename, from: "figure", ...more })).output?.bytes);
  expect(await textIn("a.csv")).toBe(`sum\r\n42\r\n# ${note}`);
  expect(await textIn("a.txt")).toBe(`42\n\n${note}`);
  expect(await textIn("a.md", { from: "data", sources: ["figure"] })).toMatch(/\n\nNote: [^|]+$/);
  expect(JSON.parse(await textIn("a.json"))).toEqual([{ sum: 42 }]);
  expect(await textIn("b.csv", { from: "columns" })).not.toContain("Note");
});

it("outputs a link", async () => {
  const { output } = await emit({ type: "link", url: "https://example.com" });
  expect(output).toMatchObject({ type: "link", nodeType: "LINK_EXTRACTION", url: PAGE_URL });
});

it("uses the given node type and media type", async () => {
  const given = { nodeType: "CODE_RESULT", mediaType: "text/x-python" };
  expect((await emit({ type: "text", value: "x", ...given })).output).toMatchObject(given);
});

it("is based on the calls that it names, each once", async () => {
  const { basedOn } = await emit({ type: "text", from: "page", sources: ["data", "page"] });
  expect(basedOn).toEqual(["data", "page"]);
});

describe("refuses, with the reason:", () => {
  it.each([
    [{ type: "text" }, "needs a value"],
    [{ type: "text", value: "x", from: "page" }, "either value or from"],
    [{ type: "text", value: "x", url: PAGE_URL }, "Only a link has a url"],
    [{ type: "text", value: "x", filename: "a.txt" }, "Only a file has a filename"],
    [{ type: "text", from: "missing" }, "no earlier call missing"],
    [{ type: "text", from: "failed" }, "failed"],
    [{ type: "text", from: "emitted" }, "cannot be used as content"],
    [{ type: "link" }, "A link needs a url"],
    [{ type: "link", url: PAGE_URL, value: "x" }, "neither value nor from"],
    [{ type: "link", url: "javascript:alert(1)" }, "http or https"],
    [{ type: "table", value: [{ a: 1 }] }, "{columns: [names], rows: [[values]]}"],
    [
      { type: "table", value: { columns: ["a", "b"], rows: [[1, 2], [1]] } },
      "Row 2 has 1 values for 2 columns",
    ],
    [{ type: "table", from: "tables" }, "has 2 tables. Select one with process_data"],
    [{ type: "table", from: "json" }, "process_data first"],
    [{ type: "json", from: "words" }, "not JSON"],
    [{ type: "file", value: { a: 1 }, filename: "x.csv" }, "{columns: [names]"],
    [{ type: "file", value: "x", mediaType: "application/pdf" }, "Only text files"],
    [{ type: "file", value: "x", filename: "../etc/passwd" }, "file name"],
    [{ type: "file", value: "x".repeat(1_100_000) }, "larger than 1 MiB"],
    [{ type: "text", from: "numbers" }, "The text is larger than 1 MiB"],
  ])("%j", async (raw, message) => {
    const { answer, output } = await emit(raw);
    expect(output).toBeUndefined();
    expect(answer).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining(message) },
    });
  });
});
