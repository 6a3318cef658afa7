import type { Json } from "../../../../contract/json.ts";
import { linesOf, plainText } from "../../../tools/process-data/markdown.ts";
import { cellText } from "../../../tools/process-data/values/cells.ts";
import type { Want } from "../plan/types.ts";
import { nameOf, phonesIn } from "../view/facts.ts";
import type { Page } from "../view/pages.ts";
import { failedPart, type Part, textPart } from "./parts.ts";
import { toldRecord } from "./told-record.ts";
import { counted, listed, placeOf, valuesText } from "./words.ts";

const MAX_CONTENT = 20_000;

/** The paragraphs of a page's Markdown: blocks that are no heading, list, table or lone link. */
function paragraphsOf(page: Page): string[] {
  return page.source.text
    .split(/\n\s*\n/)
    .filter((block) => !/^\s*(?:#|[-*+]\s|\d+[.)]\s|\||>|!\[|```)/.test(block))
    .map((block) => plainText(block))
    .filter((text) => /[\p{L}]{2}.*\s/u.test(text) && text.length >= 20);
}

function sourcesOf(pages: Page[]): string[] {
  return pages.flatMap((page) => page.callId ?? []);
}

/** One value for each page, in a sentence; with one page the value itself is the data. */
function perPage(
  label: string,
  pages: Page[],
  read: (page: Page) => string,
  output: Part["output"] = null,
): Part {
  const values = pages.map((page) => ({ page, value: read(page) }));
  const found = values.filter(({ value }) => value !== "");
  if (found.length === 0) {
    return {
      ...failedPart(label, `No ${label} was found on ${placeOf(pages)}.`),
      status: "nothing",
      data: null,
    };
  }
  const first = found[0];
  if (pages.length === 1 && first !== undefined) {
    const where = first.page.url === "" ? "" : ` of ${first.page.url}`;
    return textPart(
      label,
      `The ${label}${where} is: ${first.value}`,
      first.value,
      sourcesOf(pages),
      output,
    );
  }
  const lines = values.map(({ page, value }) => `- ${page.url}: ${value || "none"}`);
  const data = values.map(({ page, value }) => ({
    url: page.url,
    [label]: value === "" ? null : value,
  }));
  return {
    ...textPart(
      label,
      `The ${label} of each page:\n${lines.join("\n")}`,
      data,
      sourcesOf(pages),
      "json",
    ),
    records: data,
    nodeType: "DATA_EXTRACTION",
  };
}

function occurrences(text: string, phrase: string): number {
  const escaped = phrase.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+");
  const left = /^\w/.test(phrase) ? "(?<![\\p{L}\\p{N}_])" : "";
  const right = /\w$/.test(phrase) ? "(?![\\p{L}\\p{N}_])" : "";
  return [...text.matchAll(new RegExp(`${left}${escaped}${right}`, "giu"))].length;
}

/** The words of a page as a reader sees them, its title included. */
function readable(page: Page): string {
  return page.source.json() === undefined ? plainText(page.source.text) : page.source.text;
}

function includes(page: Page, phrase: string): boolean {
  const folded = `${page.title}\n${readable(page)}`.normalize("NFKC").toLowerCase();
  return folded
    .replace(/\s+/g, " ")
    .includes(phrase.normalize("NFKC").toLowerCase().replace(/\s+/g, " "));
}

function mention(pages: Page[], phrase: string): Part {
  const having = pages.filter((page) => includes(page, phrase));
  const sources = sourcesOf(pages);
  if (pages.length === 1) {
    const yes = having.length === 1;
    const where = placeOf(pages);
    const summary = yes
      ? `Yes, "${phrase}" is on ${where}.`
      : `No, "${phrase}" is not on ${where}.`;
    return textPart("mentioned", summary, yes, sources);
  }
  const urls = having.map((page) => page.url);
  const summary =
    urls.length === 0
      ? `None of the ${pages.length} pages mentions "${phrase}".`
      : `"${phrase}" is mentioned on ${listed(urls)} (${urls.length} of ${pages.length} pages).`;
  const part = textPart("pages", summary, urls, sources);
  return {
    ...part,
    records: pages.map((page) => ({ url: page.url, mentioned: having.includes(page) })),
  };
}

function occurrencesPart(pages: Page[], phrase: string): Part {
  const counts = pages.map((page) => ({
    url: page.url,
    count: occurrences(readable(page), phrase),
  }));
  const total = counts.reduce((sum, one) => sum + one.count, 0);
  const each =
    pages.length === 1 ? "" : ` (${counts.map((one) => `${one.url}: ${one.count}`).join(", ")})`;
  const times = total === 1 ? "once" : `${total} times`;
  const said = `"${phrase}" occurs ${times} on ${placeOf(pages)}${each}.`;
  return textPart("count", said, total, sourcesOf(pages));
}

/** What a page says in short: its title, its description and its leading sentences, word for word. */
function extractOf(page: Page): string {
  const lead: string[] = [];
  for (const paragraph of paragraphsOf(page)) {
    if (lead.join(" ").length > 500) break;
    lead.push(
      ...(paragraph.match(/[^.!?]+[.!?]*\s*/g) ?? [])
        .slice(0, 3)
        .map((sentence) => sentence.trim()),
    );
  }
  const headings = page.source
    .headings()
    .slice(0, 8)
    .map((heading) => heading.text)
    .filter((text) => text !== page.title);
  const description =
    page.description === "" || lead.join(" ").includes(page.description) ? "" : page.description;
  const parts = [description, lead.slice(0, 6).join(" ")].filter(Boolean);
  if (parts.length === 0) parts.push(plainText(page.source.text.slice(0, 600)));
  const topics = headings.length < 2 ? "" : ` Headings: ${headings.join("; ")}.`;
  return `${parts.join(" ")}${topics}`.trim();
}

function summary(pages: Page[]): Part {
  const texts = pages.map((page) => ({
    url: page.url,
    title: nameOf(page),
    summary: toldRecord(page) ?? extractOf(page),
  }));
  const lines = texts.map((text) => `${text.title || text.url || "The text"}: ${text.summary}`);
  const note = "An extract in the page's own words, not a rewriting:";
  const first = texts[0];
  const data: Json = texts.length === 1 && first !== undefined ? first : texts;
  const part = textPart("summary", `${note} ${lines.join("\n\n")}`, data, sourcesOf(pages), "text");
  return { ...part, records: texts };
}

function paragraphsPart(pages: Page[], want: Extract<Want, { kind: "paragraphs" }>): Part {
  const label = want.count === 1 ? "paragraph" : "paragraphs";
  return perPage(
    label,
    pages,
    (page) => {
      const all = paragraphsOf(page);
      const start = want.from === "end" ? Math.max(0, all.length - want.count) : want.skip;
      return all.slice(start, start + want.count).join("\n\n");
    },
    "text",
  );
}

function phones(pages: Page[]): Part {
  const found = [...new Set(pages.flatMap((page) => phonesIn(readableLines(page))))];
  if (found.length === 0) {
    return {
      ...failedPart("phones", `No phone numbers are on ${placeOf(pages)}.`),
      status: "nothing",
      data: [],
    };
  }
  const part = textPart(
    "phones",
    `Found ${counted(found.length, "phone number")} on ${placeOf(pages)}:${valuesText(found, "auto")}.`,
    found,
    sourcesOf(pages),
    "json",
  );
  const records = found.map((phone) => ({ phone }));
  return { ...part, records, nodeType: "DATA_EXTRACTION" };
}

function readableLines(page: Page): string {
  return linesOf(page.source.text).map(plainText).join("\n");
}

function status(pages: Page[], failures: string[]): Part {
  const states = pages.map((page) => ({ url: page.url, status: page.status ?? 200 }));
  const lines = states.map((one) => `${one.url} answered with status ${one.status}.`);
  const first = states[0];
  if (first === undefined) return failedPart("status", failures.join(" "));
  return {
    ...textPart(
      "status",
      lines.join(" "),
      states.length === 1 ? first.status : states,
      sourcesOf(pages),
    ),
    records: states,
  };
}

function response(pages: Page[]): Part {
  const page = pages[0];
  if (page === undefined) return failedPart("response", "There was no answer.");
  const json = page.source.json();
  const text = page.source.text.slice(0, 4_000);
  const state = page.status === null ? "" : ` with status ${page.status}`;
  const body =
    text === ""
      ? " and no body."
      : `: ${json === undefined ? plainText(text) : JSON.stringify(json).slice(0, 4_000)}`;
  const said = `${page.url} answered${state}${body}`;
  const part = textPart("response", said, json ?? text, sourcesOf(pages), "json");
  return { ...part, nodeType: "HTTP_RESPONSE" };
}

function content(pages: Page[]): Part {
  const part = perPage("text", pages, ({ source }) => source.text.slice(0, MAX_CONTENT), "text");
  const answers = pages.every(({ status }) => status !== null);
  return { ...part, nodeType: answers ? "HTTP_RESPONSE" : "WEB_PAGE" };
}

/** How many tables or paragraphs pages have, or columns their first table has. */
function partsCount(pages: Page[], of: "tables" | "paragraphs" | "columns"): Part {
  const counts = pages.map((page) => {
    if (of === "paragraphs") return paragraphsOf(page).length;
    const tables = page.source.tables();
    return of === "tables" ? tables.length : (tables[0]?.table.columns.length ?? 0);
  });
  const total = counts.reduce((sum, count) => sum + count, 0);
  const be = total === 1 ? "is" : "are";
  const summary = `There ${be} ${counted(total, of.slice(0, -1))} on ${placeOf(pages)}.`;
  return textPart(of, summary, total, sourcesOf(pages));
}

/** The piece for a want that is read off the pages without process_data; null for the other wants. */
export function textWant(want: Want, pages: Page[], failures: string[]): Part | null {
  switch (want.kind) {
    case "title":
      return perPage("title", pages, (page) => page.title || nameOf(page));
    case "description":
      return perPage("description", pages, (page) => page.description);
    case "content":
      return content(pages);
    case "words": {
      const counts = pages.map(
        (page) =>
          cellText(readable(page))
            .split(/\s+/)
            .filter((word) => /[\p{L}\p{N}]/u.test(word)).length,
      );
      const total = counts.reduce((sum, count) => sum + count, 0);
      const said = `There are ${counted(total, "word")} on ${placeOf(pages)}.`;
      return textPart("words", said, total, sourcesOf(pages));
    }
    case "parts":
      return partsCount(pages, want.of);
    case "summary":
      return summary(pages);
    case "paragraphs":
      return paragraphsPart(pages, want);
    case "mention":
      return mention(pages, want.phrase);
    case "occurrences":
      return occurrencesPart(pages, want.phrase);
    case "phones":
      return phones(pages);
    case "status":
      return status(pages, failures);
    case "response":
      return response(pages);
    default:
      return null;
  }
}
