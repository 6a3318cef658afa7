import { describe, expect, it } from "vitest";
import { read } from "./read.ts";

describe("links", () => {
  const links = (html: string) => read(html).links;

  it("are absolute, against the page or its base", () => {
    expect(links('<a href="x">a</a><a href="//cdn.example.com/">b</a>')).toEqual([
      { text: "a", url: "https://example.com/dir/x" },
      { text: "b", url: "https://cdn.example.com/" },
    ]);
    expect(links('<base href="/other/"><base href="/no/"><a href="x">a</a>')[0]?.url).toBe(
      "https://example.com/other/x",
    );
    expect(links('<base href="javascript:1"><a href="x">a</a>')[0]?.url).toBe(
      "https://example.com/dir/x",
    );
  });

  it("lead only to other pages and mailboxes", () => {
    const html = `<a href="mailto:a@b.example">m</a><a href="javascript:alert(1)">j</a>
      <a href="data:text/html,x">d</a><a href="tel:1">t</a><a href="#top">top</a><a>none</a>
      <a href="http://[">broken</a><a href="JaVa\nScRiPt:x">j</a>`;
    expect(links(html)).toEqual([{ text: "m", url: "mailto:a@b.example" }]);
  });

  it("keep document order, and each text of a target once", () => {
    const html = `<a href="?p=2"><img src=x></a><a href="?p=2">2</a><a href="/z">Z</a>
      <a href="?p=2">Next</a><a href="?p=2">2</a>`;
    expect(links(html).map(({ text }) => text)).toEqual(["2", "Z", "Next"]);
  });

  it("without text use their label", () => {
    const html = `<a href="?p=2" aria-label="Next page">›</a><a href="/i"><img alt="Logo"></a>
      <map><area href="/m" alt="Map"></map><a href="/d">»</a>`;
    expect(links(html).map(({ text }) => text)).toEqual(["Next page", "Logo", "Map", "»"]);
  });
});
