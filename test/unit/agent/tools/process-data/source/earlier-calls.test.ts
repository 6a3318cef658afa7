import { describe, expect, it } from "vitest";
import { type Json, json } from "../../../../../../src/contract/json.ts";
import type { ToolAnswer } from "../../../../../../src/contract/tools/call.ts";
import { contentOf, run } from "../run.ts";
import { pageContentOf } from "../sources.ts";

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
      notes: ["The data was too long, so part of it is left out."],
    });
  });
});
