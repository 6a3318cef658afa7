import { describe, expect, it } from "vitest";
import {
  extractHeadings,
  extractLines,
  extractLinks,
  extractLists,
  extractText,
} from "../../../../../../src/agent/tools/process-data/extract.ts";
import { jsonData, page, plain, rowsSource } from "../sources.ts";

describe("extractLinks", () => {
  it("takes a page's links in order", () => {
    const links = [
      { text: "Docs", url: "https://x.org/docs" },
      { text: "Blog", url: "https://x.org/news" },
    ];
    expect(extractLinks(page({ links })).table).toEqual({
      columns: ["text", "url"],
      rows: [
        ["Docs", "https://x.org/docs"],
        ["Blog", "https://x.org/news"],
      ],
    });
    expect(extractLinks(page({ links }), "DOCS").table.rows).toHaveLength(1);
    expect(extractLinks(page({ links }), "news").table.rows).toEqual([
      ["Blog", "https://x.org/news"],
    ]);
  });

  it("finds Markdown links and bare addresses in text", () => {
    const text =
      "[Docs](https://x.org/docs) (see https://en.wikipedia.org/wiki/Mug_(cup)), https://x.org.";
    expect(extractLinks(plain(text)).table.rows).toEqual([
      ["Docs", "https://x.org/docs"],
      ["https://en.wikipedia.org/wiki/Mug_(cup)", "https://en.wikipedia.org/wiki/Mug_(cup)"],
      ["https://x.org", "https://x.org"],
    ]);
  });

  it("finds addresses inside JSON and rows", () => {
    expect(extractLinks(jsonData({ a: [{ u: "https://x.org/a" }] })).table.rows).toHaveLength(1);
    expect(extractLinks(rowsSource(["u"], [["https://x.org/a"]])).table.rows).toHaveLength(1);
  });
});

describe("extractHeadings", () => {
  it("takes all levels or one", () => {
    const source = plain("# Shop\n\ntext\n\n## Mugs ##\n\n#hashtag\n\n### [Blue](https://x.org)");
    expect(extractHeadings(source).table).toEqual({
      columns: ["level", "text"],
      rows: [
        [1, "Shop"],
        [2, "Mugs"],
        [3, "Blue"],
      ],
    });
    expect(extractHeadings(source, 2).table.rows).toEqual([[2, "Mugs"]]);
  });
});

describe("extractLists", () => {
  it("takes bulleted, numbered and nested items and no rules", () => {
    const text =
      "- one\n  * two **bold**\n3. three\n4) four\n- - -\n* * *\n-none\n• [five](https://x.org)\n";
    expect(extractLists(plain(text)).table).toEqual({
      columns: ["item"],
      rows: [["one"], ["two bold"], ["three"], ["four"], ["five"]],
    });
  });
});

describe("extractLines", () => {
  it("takes lines that are not blank, trimmed", () => {
    expect(extractLines(plain(" a \r\n\r\nB\rc")).table).toEqual({
      columns: ["line"],
      rows: [["a"], ["B"], ["c"]],
    });
    expect(extractLines(plain("error: x\nfine\nERROR: y"), "error").table.rows).toEqual([
      ["error: x"],
      ["ERROR: y"],
    ]);
  });
});

describe("extractText", () => {
  it("takes the whole as one cell with its address and title", () => {
    expect(extractText(page({ text: "Hello" })).table).toEqual({
      columns: ["url", "title", "text"],
      rows: [["https://shop.example/", "Shop", "Hello"]],
    });
  });
});
