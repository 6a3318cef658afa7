import { describe, expect, it } from "vitest";
import { textOf } from "./read.ts";

describe("the text is Markdown with", () => {
  it.each([
    ["headings", "<h1>A</h1><h3>B <em>c</em></h3>", "# A\n\n### B c"],
    ["paragraphs", "<p>a\n  b</p>c<div>d<div>e</div>f</div>", "a b\n\nc\n\nd\n\ne\n\nf"],
    ["line breaks", "<p>a<br>b<br/> c</p>", "a\nb\nc"],
    ["links, absolute", '<p>see <a href="../x"> this</a>.', "see [this](https://example.com/x)."],
    ["links around blocks", '<a href="/x"><h2>T</h2></a>', "## [T](https://example.com/x)"],
    ["links with brackets", '<a href="/a(b)">x</a>', "[x](<https://example.com/a(b)>)"],
    [
      "pictures by their description",
      '<p><img src="/c.png" alt="A cat">',
      "![A cat](https://example.com/c.png)",
    ],
    [
      "linked pictures",
      '<a href="/c"><img src="c.png" alt="A cat"></a>',
      "[A cat](https://example.com/c)",
    ],
    ["lists", "<ul><li>a<li>b<ul><li>c</ul><li><p>d</p></ul>", "- a\n- b\n  - c\n- d"],
    ["numbered lists", '<ol start="9"><li>a</li><li>b</li></ol>', "9. a\n10. b"],
    ["text after a list", "<p>x</p><ul><li>a</ul><p>y</p>", "x\n\n- a\n\ny"],
    ["definitions", "<dl><dt>Open</dt><dd>9 to 5</dd></dl>", "- Open\n  9 to 5"],
    ["quotes", "<p>x<blockquote><p>a</p><p>b</p></blockquote>", "x\n\n> a\n>\n> b"],
    ["code", "<p>run <code>a  b</code> now", "run `a b` now"],
    [
      "code blocks",
      '<pre><code class="language-js">\nif (a) {\n  b();\n}\n</code></pre>',
      "```\nif (a) {\n  b();\n}\n```",
    ],
    ["code that has a fence", "<pre>```\nx\n```</pre>", "````\n```\nx\n```\n````"],
    ["rules", "<p>a</p><hr><p>b</p>", "a\n\n---\n\nb"],
    [
      "tables",
      "<table><tr><th>A<th>B|C<tr><td>1<td><a href=/x>2</a></table>",
      "| A | B\\|C |\n| --- | --- |\n| 1 | [2](https://example.com/x) |",
    ],
    ["prices in one piece", "<p><b>$12</b>.<sup>99</sup>", "$12.99"],
    ["layout tables as text", "<table><tr><td><p>a</p><p>b</p></td></tr></table>", "a\n\nb"],
    [
      "neighbouring links apart",
      "<a href=/a>1</a><a href=/b>2</a>",
      "[1](https://example.com/a) [2](https://example.com/b)",
    ],
  ])("%s", (_name, html, markdown) => {
    expect(textOf(html)).toBe(markdown);
  });
});
