// Draws the Markdown that models write. The text is a stranger's: HTML in it stays text, nothing is loaded
// for it, and the library takes time in proportion to its length.
import MarkdownIt from "markdown-it";

const markdown = new MarkdownIt({ breaks: true });
// Few mean code by four blanks, and an image would tell another site that the page was opened.
markdown.disable(["code", "image"]);
// The headings of a text are none of the page that shows it.
markdown.core.ruler.push("headings", ({ tokens }) => {
  for (const token of tokens) {
    if (!/^h\d$/.test(token.tag)) continue;
    token.tag = "p";
    token.attrSet("class", "heading");
  }
});
// The pages' Content-Security-Policy refuses the attribute by which the library aligns columns.
for (const cell of ["th_open", "td_open"]) {
  markdown.renderer.rules[cell] = (tokens, at, options, _, renderer) => {
    const [[, align] = ["", ""]] = tokens[at].attrs ?? [];
    tokens[at].attrs = align.endsWith(":right") ? [["class", "num"]] : null;
    return renderer.renderToken(tokens, at, options);
  };
}
markdown.renderer.rules.link_open = (tokens, at, options, _, renderer) => {
  tokens[at].attrSet("rel", "noreferrer");
  return renderer.renderToken(tokens, at, options);
};

/** Draws the text of an element as Markdown. */
export function draw(element) {
  element.innerHTML = markdown.render(element.textContent);
}
