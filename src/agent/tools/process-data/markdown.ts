import type { PageContent } from "../../../contract/tools/web.ts";

const LINK = /!?\[([^[\]\n]{0,500})\]\(([^()\s]{1,2048})(?: "[^"\n]{0,200}")?\)/g;
/** An address in running text, without the punctuation behind it; brackets in it come in pairs. */
const BARE_LINK = /\bhttps?:\/\/(?:\([^\s<>()]*\)|[^\s<>"'`{}|\\^[\]()])+(?<![.,;:!?])/g;
const BULLET = /^\s{0,40}(?:[-*+•]|\d{1,4}[.)])\s+(?=\S)/;
const HEADING = /^(#{1,6})\s+(?=\S)/;
/** Three or more of one mark, as in `- - -`, are a rule, not a list. */
const RULE = /^[\s*]*$|^[\s-]*$/;

/** Returns the trimmed lines of a text without blank ones. */
export function linesOf(text: string): string[] {
  return text.split(/\r\n|\r|\n/).flatMap((line) => line.trim() || []);
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

/** Converts Markdown to plain text: links and images become their text, other marks are removed. */
function plainText(markdown: string): string {
  return markdown
    .replace(LINK, "$1")
    .replace(/\*\*|__|`|(?<![\p{L}\p{N}])[*_](?=\S)|(?<=\S)[*_](?![\p{L}\p{N}])/gu, "")
    .replace(/\\([\\`*_{}[\]()#+\-.!|>~])/g, "$1")
    .replace(/\s+/g, " ")
    .trim();
}
