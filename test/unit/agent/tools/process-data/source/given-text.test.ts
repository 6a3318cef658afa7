import { describe, expect, it } from "vitest";
import { contentOf, run } from "../run.ts";

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
