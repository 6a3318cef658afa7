import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { processData } from "../../../../src/agent/tools/process-data.ts";
import type { ToolContext, ToolResult } from "../../../../src/agent/tools/tool.ts";
import { type Json, json } from "../../../../src/contract/json.ts";
import type { ToolAnswer } from "../../../../src/contract/tools/answer.ts";
import {
  type DataContent,
  dataContent,
  processDataInput,
} from "../../../../src/contract/tools/process-data.ts";
import { NO_SERVICES } from "../../../support/tool-services.ts";
import { pageContentOf } from "./process-data/sources.ts";

function contextWith(answers: Record<string, ToolAnswer>, signal?: AbortSignal): ToolContext {
  return {
    signal: signal ?? new AbortController().signal,
    fetch: () => Promise.reject(new Error("this tool stays inside")),
    earlier: (callId) => answers[callId] ?? null,
    files: () => [],
    services: NO_SERVICES,
    idempotencyKey: "key",
  };
}

function run(input: unknown, answers: Record<string, ToolAnswer> = {}): Promise<ToolResult> {
  return processData.run(processDataInput.parse(input), contextWith(answers));
}

async function contentOf(
  input: unknown,
  answers: Record<string, ToolAnswer> = {},
): Promise<DataContent> {
  const { answer } = await run(input, answers);
  if (!answer.ok) throw new Error(answer.error.message);
  return dataContent.parse(answer.content);
}

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

describe("process_data on earlier calls", () => {
  it("works on the JSON of an HTTP answer and names the call that it is based on", async () => {
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

  it("works on its own answers again", async () => {
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

  it("works on pages", async () => {
    const page = pageContentOf({
      tables: [
        {
          caption: "Prices",
          columns: ["Item", "Price"],
          rows: [
            ["Mug", "$5"],
            ["Hat", "$12"],
          ],
        },
      ],
    });
    const content = await contentOf(
      {
        sources: [{ callId: "p" }],
        extract: { kind: "table", caption: "prices" },
        operations: [
          { op: "sort", by: "price", direction: "desc" },
          { op: "limit", count: 1 },
        ],
      },
      { p: ok(page) },
    );
    expect(content.rows).toEqual([["Hat", "$12"]]);
  });

  it.each([
    ["text/csv", "name,price\nMug,4"],
    ["text/tab-separated-values", "name\tprice\nMug\t4"],
    ["text/plain", "name;price\nMug;4"],
    ["text/html", "Our products: <table><tr><th>name<th>price<tr><td>Mug<td>4</table>"],
    ["text/html; charset=utf-8", "<table><tr><th>name<th>price<tr><td>Mug<td>4</table>"],
    ["application/octet-stream", '[{"name": "Mug", "price": "4"}]'],
  ])("reads a body of %s", async (mediaType, text) => {
    const table = { sources: [{ callId: "c" }], extract: { kind: "table" } };
    const fetched = await contentOf(table, { c: response({ mediaType, text }) });
    expect(fetched).toMatchObject({ columns: ["name", "price"], rows: [["Mug", "4"]] });
  });

  it("reads a browsed file that is no HTML", async () => {
    const csv = pageContentOf({ mediaType: "text/csv", text: "name,price\nMug,4" });
    const table = { sources: [{ callId: "c" }], extract: { kind: "table" } };
    expect((await contentOf(table, { c: ok(csv) })).rows).toEqual([["Mug", "4"]]);
  });

  it("puts the rows of several sources together and skips those without any, saying so", async () => {
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

  it("refuses when no source has what is asked for", async () => {
    const result = await run({ sources: [{ callId: "lost" }], extract: { kind: "text" } });
    expect(result).toEqual({
      answer: {
        ok: false,
        error: { code: "unknown_call", message: "There is no earlier call lost." },
      },
    });
  });

  it("refuses an answer of another tool", async () => {
    const input = { sources: [{ callId: "c" }], extract: { kind: "text" } };
    const { answer } = await run(input, { c: ok({ outputId: "o" }) });
    expect(answer).toMatchObject({ ok: false, error: { code: "unreadable_source" } });
  });

  it("says that a page was cut before it came here", async () => {
    const input = { sources: [{ callId: "p" }], extract: { kind: "lines" } };
    const content = await contentOf(input, { p: ok(pageContentOf({ text: "a", cut: true })) });
    expect(content).toMatchObject({
      cut: true,
      notes: ["The data was longer than what is kept: some of it is left out."],
    });
  });
});

describe("process_data on given text", () => {
  it("tells formats apart by themselves", async () => {
    const table = async (data: string) =>
      (await contentOf({ sources: [{ data }], extract: { kind: "table" } })).rows;
    expect(await table('[{"a": "1"}]')).toEqual([["1"]]);
    expect(await table("a,b\n1,2")).toEqual([["1", "2"]]);
    expect(await table("<table><tr><th>a</th></tr><tr><td>1</td></tr></table>")).toEqual([["1"]]);
  });

  it("answers no rows, and says so, when there are no e-mail addresses", async () => {
    const content = await contentOf({ sources: [{ data: "none" }], extract: { kind: "emails" } });
    expect(content).toEqual({
      columns: ["email"],
      rows: [],
      rowCount: 0,
      notes: ["No emails found."],
      cut: false,
    });
  });

  it("reads a page that was given as HTML, its absolute links and its cards", async () => {
    const data =
      "<h1>Shop</h1><ol><li><h3><a href=/1>Mug</a></h3><p>$5</p><p>In stock</p></li>" +
      "<li><h3><a href=/2>Hat</a></h3><p>$9 <s>$12</s></p><p>In stock</p></li></ol>" +
      '<a href="mailto:ann@example.com">Ann</a> <a href="https://example.com/">Home</a>';
    const rowsOf = async (kind: string) =>
      (await contentOf({ sources: [{ data, format: "html" }], extract: { kind } })).rows;
    expect(await rowsOf("emails")).toEqual([["ann@example.com"]]);
    expect(await rowsOf("links")).toContainEqual(["Home", "https://example.com/"]);
    expect(await rowsOf("lists")).toEqual([["Mug"], ["Hat"]]);
    expect(await rowsOf("prices")).toEqual([
      ["Mug", 5, "USD"],
      ["Hat", 9, "USD"],
      ["Hat", 12, "USD"],
    ]);
  });

  it("does not grow an escape's letter onto an address inside JSON", async () => {
    const data = JSON.stringify({ note: "to:\nann@example.com\tbob@example.com" });
    const content = await contentOf({ sources: [{ data }], extract: { kind: "emails" } });
    expect(content.rows).toEqual([["ann@example.com"], ["bob@example.com"]]);
  });

  it("refuses text that is not the JSON it is said to be", async () => {
    const input = { sources: [{ data: "{", format: "json" }], extract: { kind: "json", path: "" } };
    expect((await run(input)).answer).toMatchObject({ error: { code: "unreadable_source" } });
  });

  it("refuses JSON that nests without end", async () => {
    const data = "[".repeat(200_000) + "]".repeat(200_000);
    for (const format of ["auto", "json"]) {
      const { answer } = await run({
        sources: [{ data, format }],
        extract: { kind: "json", path: "" },
      });
      expect(answer).toMatchObject({ ok: false, error: { code: "unreadable_source" } });
    }
  });

  it("cuts an answer over its limit and says how many rows there were", async () => {
    const data = "a line of some length that is repeated\n".repeat(50_000);
    const content = await contentOf({
      sources: [{ data, format: "text" }],
      extract: { kind: "lines" },
    });
    expect(content.cut).toBe(true);
    expect(content.rowCount).toBe(50_000);
    expect(content.notes).toEqual([
      `Only the first ${content.rows.length} of 50000 rows fit the answer.`,
    ]);
    expect(JSON.stringify(content.rows).length).toBeLessThanOrEqual(512 * 1024);
  });
});

describe("process_data", () => {
  it("stops at the first operation that cannot be done and lists the columns", async () => {
    const { answer } = await run({
      sources: [{ data: "a,b\n1,2" }],
      extract: { kind: "table" },
      operations: [
        { op: "select", columns: ["a"] },
        { op: "sort", by: "b" },
      ],
    });
    expect(answer).toEqual({
      ok: false,
      error: { code: "unknown_column", message: 'There is no column "b". Columns: "a".' },
    });
  });

  it("changes nothing outside and tells what it does", () => {
    const input = processDataInput.parse({
      sources: [{ data: "x" }, { callId: "c" }],
      extract: { kind: "prices" },
    });
    expect(processData.effect(input)).toBeNull();
    expect(processData.describe(input)).toBe("Extracting prices from 2 sources");
  });

  it("ends when it is aborted", async () => {
    const input = processDataInput.parse({ sources: [{ data: "x" }], extract: { kind: "text" } });
    const aborted = contextWith({}, AbortSignal.abort(new Error("stopped")));
    await expect(processData.run(input, aborted)).rejects.toThrow("stopped");
  });

  it("answers every input without throwing, with rows as wide as the columns", async () => {
    const extraction = fc.constantFrom(
      { kind: "table" },
      { kind: "json", path: "" },
      { kind: "json", path: "*.*" },
      { kind: "emails" },
      { kind: "links" },
      { kind: "headings" },
      { kind: "prices" },
      { kind: "lists" },
      { kind: "lines" },
      { kind: "text" },
    );
    const data = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.json(),
      fc
        .array(
          fc.constantFrom("<table>", "<td>", "$", "1,", "|", "\n", "- ", "#", "@a.b", '"', "["),
          { maxLength: 60 },
        )
        .map((parts) => parts.join("")),
    );
    const format = fc.constantFrom("auto", "csv", "json", "html", "text");
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ data, format }), { minLength: 1, maxLength: 3 }),
        extraction,
        async (sources, extract) => {
          const { answer } = await run({ sources, extract });
          if (!answer.ok) return;
          const { columns, rows } = dataContent.parse(answer.content);
          expect(rows.every((row) => row.length === columns.length)).toBe(true);
          expect(new Set(columns).size).toBe(columns.length);
        },
      ),
      { numRuns: 300 },
    );
  });
});
