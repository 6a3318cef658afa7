import { describe, expect, it } from "vitest";
import type { MaterialTable } from "../../../../../../src/agent/models/planner/program.ts";
import {
  emptiness,
  type ReadPage,
  readAnswer,
  readData,
} from "../../../../../../src/agent/models/planner/run/view.ts";
import { readPage } from "../../../../../../src/agent/tools/page/read-page.ts";
import { processData } from "../../../../../../src/agent/tools/process-data.ts";
import type { ToolAnswer } from "../../../../../../src/contract/tools/call.ts";
import {
  dataContent,
  processDataInput,
} from "../../../../../../src/contract/tools/process-data.ts";
import { contextWith } from "../../../tools/process-data/run.ts";
import { table } from "../support/site.ts";

const URL_ = "http://a.test/";

function htmlAnswer(html: string): ToolAnswer {
  const page = readPage(`<html><head><title>T</title></head><body>${html}</body></html>`, URL_);
  return { ok: true, content: { ...page, mediaType: "text/html" } };
}

function viewed(html: string): ReadPage {
  const reading = readAnswer("c1", htmlAnswer(html));
  if (!reading.ok) throw new Error(reading.message);
  return reading.value;
}

/** The columns and rows of the only table of a kind. */
function only({ tables }: ReadPage, kind: MaterialTable["kind"]) {
  const [first, ...others] = tables.filter((each) => each.kind === kind);
  if (first === undefined || others.length > 0) throw new Error(`Not one ${kind}.`);
  return { caption: first.caption, columns: first.columns, rows: first.rows };
}

describe("a page", () => {
  it("shows the addresses behind the links of a table's cells", () => {
    const rows = [["Ann", '<a href="mailto:ann@a.test">write</a>']];
    expect(only(viewed(table(["Name", "Mail"], rows)), "table").rows).toEqual([
      ["Ann", "ann@a.test"],
    ]);
  });

  it("merges tables of the same columns, with their captions as a column", () => {
    const html = `${table(["Film"], [["Salt"]], "Friday")}${table(["Film"], [["Moon"]], "Saturday")}`;
    expect(only(viewed(html), "table")).toEqual({
      caption: null,
      columns: ["Film", "Day"],
      rows: [
        ["Salt", "Friday"],
        ["Moon", "Saturday"],
      ],
    });
  });

  it("shows a list under a heading only if it is none of facts", () => {
    const html =
      "<h2>Ingredients</h2><ul><li>flour</li><li>salt</li></ul><h2>Terms</h2><ul><li>Price: $5</li></ul>";
    expect(only(viewed(html), "list")).toEqual({
      caption: "Ingredients",
      columns: ["Ingredients"],
      rows: [["flour"], ["salt"]],
    });
  });
});

describe("a JSON document", () => {
  it("has a table for each list and a record for each object", () => {
    const data = { total: 2, users: [{ id: 1, at: { city: "Oslo" } }], tags: ["a", "b"] };
    const reading = readData(JSON.stringify(data), "json");
    if (!reading.ok) throw new Error(reading.message);
    expect(reading.value.tables).toMatchObject([
      { kind: "table", caption: "users", columns: ["id", "at.city"], rows: [[1, "Oslo"]] },
      { kind: "list", caption: "tags", columns: ["tags"], rows: [["a"], ["b"]] },
      { kind: "record", columns: ["total"], rows: [[2]] },
    ]);
  });
});

describe("every table of a page", () => {
  it.each([
    ["a table", table(["A", "B"], [["1", "2"]])],
    [
      "a table with merged parts",
      `${table(["A"], [["1"]], "2024")}${table(["A"], [["2"]], "2025")}`,
    ],
    ["cards", "<h2>Mug</h2><p>$7.50</p><h2>Lamp</h2><p>$25.00</p>"],
    ["a list and facts", "<h2>Steps</h2><ul><li>mix</li><li>bake</li></ul><p>Time: 2 h</p>"],
  ])("is what process_data extracts: %s", async (_, html) => {
    const answer = htmlAnswer(html);
    const reading = readAnswer("c1", answer);
    if (!reading.ok) throw new Error(reading.message);
    for (const { from, extract, columns, rows } of reading.value.tables) {
      const input = processDataInput.parse({ sources: [from ?? reading.value.from], extract });
      const result = await processData.run(input, contextWith({ c1: answer }));
      const content = dataContent.parse(result.answer.ok ? result.answer.content : null);
      expect({ columns: content.columns, rows: content.rows }).toEqual({ columns, rows });
    }
  });
});

describe("an answer", () => {
  it("has no data if its status is an error or its body is empty", () => {
    const response = { url: URL_, status: 404, mediaType: "text/plain", headers: {}, cut: false };
    const failed = readAnswer("c1", { ok: true, content: { ...response, text: "gone" } });
    const empty = readAnswer("c2", { ok: true, content: { ...response, status: 204 } });
    if (!failed.ok || !empty.ok) throw new Error("Not read.");
    expect(emptiness(failed.value)).toBe("It answered with status 404.");
    expect(emptiness(empty.value)).toBe("It has no readable content.");
  });
});
