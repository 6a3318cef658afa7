import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type PageContent, pageContent } from "../../../../../src/contract/tools/web.ts";
import { read } from "./read.ts";

describe("the title", () => {
  it.each([
    ["<title> Tea &amp;\n  Co </title>", "Tea & Co"],
    ['<meta property="og:title" content="Shared"><h1>Big</h1>', "Shared"],
    ["<h2>Small</h2><h1>Big</h1>", "Big"],
    ["<svg><title>Icon</title></svg><title>Page</title>", "Page"],
    ["<p>none</p>", ""],
  ])("of %s is %j", (html, title) => {
    expect(read(html).title).toBe(title);
  });
});

it("takes the description from the head, and lists headings in order with their level", () => {
  expect(read('<meta name="Description" content=" Fine  tea ">').description).toBe("Fine tea");
  expect(read("<p>x")).not.toHaveProperty("description");
  expect(read("<h2>A</h2><div><h1>B <a href=x>c</a></h1></div><h3> </h3>").headings).toEqual([
    { level: 2, text: "A" },
    { level: 1, text: "B c" },
  ]);
});

describe("a page that is not all of what its readers see", () => {
  it("names where it sends its readers on to", () => {
    const page = read(
      "<meta HTTP-EQUIV=Refresh content=\"0; URL='/new?a=1'\"><title>Moved</title>",
    );
    expect(page.notes).toEqual([expect.stringContaining("https://example.com/new?a=1")]);
  });

  it("names its frames, each once", () => {
    const frames = "<frameset><frame src=a><frame src=b></frameset><iframe src=b></iframe>";
    const [note] = read(frames).notes ?? [];
    expect(note).toMatch(/: https:\/\/example\.com\/dir\/a https:\/\/example\.com\/dir\/b$/);
  });

  it.each([
    ["that loads itself again", "<meta http-equiv=refresh content='30; url=page'>"],
    ["that waits", "<meta http-equiv=refresh content=30>"],
    ["with a hidden frame", "<iframe src=x style='display: none'></iframe>"],
    ["with a frame for readers without scripts", "<noscript><iframe src=x></iframe></noscript>"],
    [
      "with a frame of its own",
      "<iframe srcdoc='<p>hi'></iframe><iframe src='about:blank'></iframe>",
    ],
  ])("notes nothing of a page %s", (_, html) => {
    expect(read(html)).not.toHaveProperty("notes");
  });
});

it("has every row of a page of the maximum length", () => {
  const row = (n: number) => `<tr><td>${n}</td><td>Name ${n}</td><td>12.50</td></tr>`;
  const rows = Array.from({ length: 35_000 }, (_, n) => row(n)).join("\n");
  const page = read(`<table><tr><th>id<th>name<th>price</tr>${rows}</table>`);
  expect(page.cut).toBe(false);
  expect(page.tables[0]?.rows).toHaveLength(35_000);
  expect(page.text).toContain("Name 34999");
});

describe("hostile pages", () => {
  const MiB = 1_048_576;

  /** What is stored of a page never takes more than 5 MiB. */
  function expectBounded(page: PageContent): void {
    expect(pageContent.safeParse(page).success).toBe(true);
    expect(new TextEncoder().encode(JSON.stringify(page)).byteLength).toBeLessThan(5 * MiB);
  }

  it("nested 5,000 deep are read", () => {
    const page = read(`${"<div>".repeat(5_000)}deep${"</div>".repeat(5_000)}<p>after`);
    expect(page).toMatchObject({ text: "deep\n\nafter", cut: false });
  });

  it.each(
    Object.entries({
      "nested without end": "<div>".repeat(MiB / 5),
      "lists without end": "<ul><li>x".repeat(MiB / 10),
      "tables in tables": "<table><tr><th>x".repeat(MiB / 16),
      "spans of billions": `<table><tr>${"<td colspan=1000 rowspan=65534>x".repeat(99)}${"<tr><th>y".repeat(50_000)}`,
      "negative spans": `<table>${"<tr><th colspan=-999>x<td colspan=200>y".repeat(20_000)}`,
      "wide cells repeated": `<table>${`<tr><th colspan=200>${"w ".repeat(900)}`.repeat(500)}`,
      "many links": Array.from({ length: 20_000 }, (_, n) => `<a href="/${n}">${n}</a>`).join(""),
      "many headings": "<h1>heading of some length</h1>".repeat(20_000),
      "one long line": "x".repeat(3 * MiB),
      "quotes, which take two bytes": '"'.repeat(MiB),
      "letters of three bytes": "本".repeat(MiB),
    }),
  )("with %s are cut, with a note", (_name, html) => {
    const page = read(html);
    expectBounded(page);
    expect(page.cut).toBe(true);
  });

  it("of any broken markup never throw, and read the same each time", () => {
    const tag = fc.constantFrom(
      ..."a b p div ul ol li table thead tr td th caption pre code dl dt dd blockquote h1 select option svg title base br".split(
        " ",
      ),
    );
    const attributes = fc.constantFrom(
      ...'| href=x| hidden| colspan=3| rowspan=0| style="| <| a=&lt'.split("|"),
    );
    const piece = fc.oneof(
      fc.tuple(tag, attributes).map(([name, rest]) => `<${name}${rest}>`),
      tag.map((name) => `</${name}>`),
      fc.constantFrom(..."< > & <!-- --> </ <! &#0; &#x110000; ]]> | `".split(" ")),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
        const page = read(pieces.join(""));
        expect(pageContent.safeParse(page).success).toBe(true);
        for (const { columns, rows } of page.tables) {
          for (const row of rows) expect(row).toHaveLength(columns.length);
        }
        for (const { url } of page.links) expect(url).toMatch(/^(https?|mailto):/);
        expect(read(pieces.join(""))).toEqual(page);
      }),
      { numRuns: 60 },
    );
  });
});
