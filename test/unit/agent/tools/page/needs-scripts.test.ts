import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readPage } from "../../../../../src/agent/tools/page/read-page.ts";

const judge = (html: string) => readPage(html, "https://example.com/").needsScripts;

const APP = '<script src="/app.js"></script>';
const PARAGRAPH =
  "<p>The harbour lies an hour from the city, and the tea that comes in there is sorted by hand.</p>";

describe("a page needs its scripts when", () => {
  it.each([
    ["it has nothing but them", `<title>App</title><div id="root"></div>${APP}`],
    ["it only says that it is loading", `<p>Loading...</p>${APP}`],
    [
      "it asks for them",
      `${PARAGRAPH}<noscript>You need to enable JavaScript to run this app.</noscript>${APP}`,
    ],
    ["it asks for them elsewhere", `<noscript>Bitte aktivieren Sie JavaScript.</noscript>${APP}`],
    ["its app's root is empty", `<nav>${PARAGRAPH}</nav><div id="__next"></div>${APP}`],
    ["its root is an element of its own", `${PARAGRAPH}<app-root></app-root>${APP}`],
    ["they are modules within it", '<div id="app"></div><script type="module">start()</script>'],
  ])("%s", (_, html) => {
    expect(judge(html)).toBe(true);
  });
});

describe("a page does not need scripts when", () => {
  it.each([
    ["it has none", "<p>Short.</p>"],
    ["it has data only", '<p>Short.</p><script type="application/ld+json">{}</script>'],
    ["it says enough", `${PARAGRAPH}${APP}`],
    [
      "its root has been filled on the server",
      `<div id="root"><h1>Tea</h1>${PARAGRAPH}</div>${APP}`,
    ],
    [
      "it is long, whatever it asks for",
      `${PARAGRAPH.repeat(12)}<noscript>Enable JavaScript</noscript>${APP}`,
    ],
    ["it is a table of few words", `<table><tr><th>A<th>B<tr><td>1<td>2</table>${APP}`],
    [
      "its noscript only counts visitors",
      `${PARAGRAPH}<noscript><img src="/pixel"></noscript>${APP}`,
    ],
  ])("%s", (_, html) => {
    expect(judge(html)).toBe(false);
  });
});

it("broken markup is judged without an error", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(..."<>/=\"'idroptscnx ") }), (html) => {
      expect(typeof judge(html)).toBe("boolean");
    }),
  );
});

describe("a page made to be slow", () => {
  it.each([
    ["brackets that never close", `<p>${"](".repeat(120_000)}</p>${APP}`],
    ["elements that never close", `${APP}${"<b>".repeat(500_000)}`],
    ["calls for scripts without end", `${APP}<noscript>${"without ".repeat(200_000)}</noscript>`],
  ])("by %s is judged quickly", (_, html) => {
    judge(html);
  });
});
