import { Marked, type Token, type Tokens } from "marked";

/** A part of a guide, from one heading to the next. */
interface Section {
  /** The id of its heading; empty for the beginning of the guide. */
  id: string;
  heading: string;
  text: string;
}

/** A rendered guide. */
export interface Guide {
  title: string;
  html: string;
  sections: Section[];
}

/** Renders a guide. Throws for a text that does not begin with a title. */
export function renderGuide(markdown: string): Guide {
  const ids = new Map<Token, string>();
  const marked = rendererWith(ids);
  const tokens = marked.lexer(markdown);
  const [title] = tokens;
  if (!isHeading(title) || title.depth !== 1) throw new Error("A guide begins with its title.");
  const sections: Section[] = [{ id: "", heading: plainText(title.text), text: "" }];
  for (const token of tokens.slice(1)) {
    if (isHeading(token)) {
      const heading = plainText(token.text);
      const id = idFor(heading, sections);
      ids.set(token, id);
      sections.push({ id, heading, text: "" });
    } else {
      const current = sections.at(-1);
      if (current !== undefined) current.text += token.raw;
    }
  }
  return { title: plainText(title.text), html: marked.parser(withChoices(tokens)), sections };
}

/** The languages of a call, which the page shows one at a time. */
const LANGUAGES = new Map([
  ["sh", "Shell"],
  ["ts", "TypeScript"],
  ["python", "Python"],
]);

/** Puts blocks of different languages that follow each other into one choice, without scripts. */
function withChoices(tokens: Token[]): Token[] {
  const shown: Token[] = [];
  let choices = 0;
  let group: Tokens.Code[] = [];
  const close = () => {
    choices += 1;
    shown.push(...(group.length > 1 ? [choiceOf(group, choices)] : group));
    group = [];
  };
  for (const token of tokens) {
    if (isCall(token) && !group.some(({ lang }) => lang === token.lang)) group.push(token);
    else if (token.type !== "space" || group.length === 0) {
      close();
      if (isCall(token)) group.push(token);
      else shown.push(token);
    }
  }
  close();
  return shown;
}

const isCall = (token: Token): token is Tokens.Code =>
  token.type === "code" && typeof token.lang === "string" && LANGUAGES.has(token.lang);

function choiceOf(blocks: readonly Tokens.Code[], at: number): Tokens.HTML {
  const parts = blocks.map(({ lang = "", text }, each) => {
    const open = each === 0 ? " open" : "";
    return `<details name="call-${at}" data-language="${lang}"${open}><summary>${LANGUAGES.get(lang)}</summary>${codeBlock(text)}</details>`;
  });
  const html = `<div class="choice">${parts.join("")}</div>\n`;
  return { type: "html", raw: html, pre: false, text: html, block: true };
}

const codeBlock = (text: string): string =>
  `<div class="code"><pre tabindex="0"><code>${escapeHtml(text)}</code></pre></div>\n`;

/** Returns a renderer for the pages, in which headings have these ids. */
function rendererWith(ids: ReadonlyMap<Token, string>): Marked {
  return new Marked({
    renderer: {
      heading(token) {
        const html = this.parser.parseInline(token.tokens);
        const id = ids.get(token);
        if (id === undefined) return `<h${token.depth}>${html}</h${token.depth}>\n`;
        return `<h${token.depth} id="${id}"><a href="#${id}">${html}</a></h${token.depth}>\n`;
      },
      link({ href, tokens }) {
        return `<a href="${escapeHtml(addressOf(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      code({ text }) {
        return codeBlock(text);
      },
      checkbox() {
        return '<span class="box">☐</span> ';
      },
      table({ header, rows }) {
        const head = header
          .map(({ tokens }) => `<th scope="col">${this.parser.parseInline(tokens)}</th>`)
          .join("")
          // A corner without words heads no column.
          .replaceAll('<th scope="col"></th>', "<td></td>");
        // On a phone each cell is a line of its own, behind the name of its column.
        const names = header.map(({ text }) => escapeHtml(plainText(text)));
        const cell = ({ tokens }: Tokens.TableCell, at: number) =>
          `<td data-column="${names[at] ?? ""}">${this.parser.parseInline(tokens)}</td>`;
        const body = rows.map((row) => `<tr>${row.map(cell).join("")}</tr>`).join("\n");
        return `<div class="table" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
}

const isHeading = (token: Token | undefined): token is Tokens.Heading => token?.type === "heading";

/** Returns a heading without its marks and the addresses of its links. */
const plainText = (text: string): string =>
  text.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").replace(/[`*]/g, "");

/** Returns the id that GitHub gives a heading, with a number if an earlier one of the page has it. */
function idFor(heading: string, earlier: readonly Section[]): string {
  const id = heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}_ -]/gu, "")
    .replaceAll(" ", "-");
  const same = earlier.filter((section) => section.id.replace(/-\d+$/, "") === id).length;
  return same === 0 ? id : `${id}-${same}`;
}

/** Returns the address of a page for a link between files of the repository. */
function addressOf(href: string): string {
  const [, name, anchor = ""] = /^(?:\.\.\/|docs\/)?([\w-]+)\.md(#.*)?$/.exec(href) ?? [];
  return name === undefined ? href : `/docs/${name.toLowerCase()}${anchor}`;
}

function escapeHtml(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
