import type { PageContent } from "../../../contract/tools/web.ts";

const LINK = /!?\[([^[\]\n]{0,500})\]\(([^()\s]{1,2048})(?: "[^"\n]{0,200}")?\)/g;
/** An address in running text, without the punctuation behind it; brackets in it come in pairs. */
const BARE_LINK = /\bhttps?:\/\/(?:\([^\s<>()]*\)|[^\s<>"'`{}|\\^[\]()])+(?<![.,;:!?])/g;
const BULLET = /^\s{0,40}(?:[-*+•]|\d{1,4}[.)])\s+(?=\S)/;
const HEADING = /^(#{1,6})\s+(?=\S)/;
/** Three or more of one mark, as in `- - -`, are a rule, not a list. */
const RULE = /^[\s*]*$|^[\s-]*$/;

const trimmedLines = (text: string) => text.split(/\r\n|\r|\n/).map((line) => line.trim());

/** Returns the trimmed lines of a text without blank ones. */
export function linesOf(text: string): string[] {
  return trimmedLines(text).filter((line) => line !== "");
}

/** Returns the item of a bulleted or numbered line, or null. */
export function listItem(line: string): string | null {
  const item = line.replace(BULLET, "");
  if (item === line || RULE.test(line)) return null;
  return headingOf(item)?.text ?? (plainText(item) || null);
}

/** Returns the heading of a line such as `## Title`, or null. */
export function headingOf(line: string): PageContent["headings"][number] | null {
  const marks = HEADING.exec(line);
  if (!marks) return null;
  const text = plainText(line.slice(marks[0].length))
    .replace(/#{1,6}$/, "")
    .trimEnd();
  return text === "" ? null : { level: marks[1]?.length ?? 1, text };
}

/** Returns the Markdown links, then the plain http addresses, each in order. */
export function linksIn(text: string): PageContent["links"] {
  const links: PageContent["links"] = [];
  const rest = text.replace(LINK, (_, label: string, url: string) => {
    links.push({ text: plainText(label) || url, url });
    return " ";
  });
  for (const [url] of rest.matchAll(BARE_LINK)) links.push({ text: url, url });
  return links;
}

/** The line below the names of a table's columns. */
const DELIMITERS = /^\|(?:\s*:?-+:?\s*\|)+$/;

/** Returns the tables whose lines begin and end with a pipe, each with the heading above it. */
export function tablesIn(text: string): { caption: string | null; grid: string[][] }[] {
  const tables: { caption: string | null; grid: string[][] }[] = [];
  let caption: string | null = null;
  let grid: string[][] | null = null;
  let before = "";
  for (const line of trimmedLines(text)) {
    if (DELIMITERS.test(line) && before.startsWith("|")) {
      grid = [cellsOf(before)];
      tables.push({ caption, grid });
    } else if (line.startsWith("|")) grid?.push(cellsOf(line));
    else {
      grid = null;
      caption = headingOf(line)?.text ?? caption;
    }
    before = line;
  }
  return tables;
}

/** Returns the cells of a line of a table; a pipe within a cell is escaped. */
function cellsOf(line: string): string[] {
  const cells = line.replace(/^\|/, "").replace(/(?<!\\)\|$/, "");
  return cells.split(/(?<!\\)\|/).map((cell) => cell.replaceAll("\\|", "|").trim());
}

/** Converts Markdown to plain text: links and images become their text, other marks are removed. */
function plainText(markdown: string): string {
  return markdown
    .replace(LINK, "$1")
    .replace(/\*\*|__|`|(?<![\p{L}\p{N}])[*_](?=\S)|(?<=\S)[*_](?![\p{L}\p{N}])/gu, "")
    .replace(/\\([\\`*_{}[\]()#+\-.!|>~])/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
}
