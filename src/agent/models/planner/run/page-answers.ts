import type { Json } from "../../../../contract/json.ts";
import { plainText } from "../../../tools/process-data/markdown.ts";
import type { Answer, Part } from "../program.ts";
import { failPart, type Result, type Room, told } from "./result.ts";
import type { ReadPage } from "./view.ts";
import { listed, sentence, shown } from "./words.ts";

type PageAnswer = Extract<Answer, { kind: "page" }>;

/** From this length on, a text stands below its label. */
const LONG = 500;
const MAX_SENTENCE = 4_000;

/** What a page says as a whole; null if it does not. */
const FACTS: Record<PageAnswer["what"], (page: ReadPage) => Json> = {
  text: ({ text }) => text,
  title: ({ title, headings }) => title || (headings[0]?.text ?? null),
  description: ({ description }) => description || null,
  status: ({ status }) => status,
  json: ({ json = null }) => json,
  summary: summaryOf,
};

/** Answers what is asked of whole pages. */
export function pageResult(
  part: Part,
  { what, sourceIds }: PageAnswer,
  { desk, pages }: Room,
): Result | null {
  const { label } = part;
  const read = sourceIds.flatMap((id) => pages.get(id) ?? []);
  const values = read.map(FACTS[what]);
  const [first = null, ...others] = values;
  const lacking = read[values.indexOf(null)];
  if (first === null || lacking !== undefined) {
    return failPart(part, `${lacking?.url ?? "The data"} has no ${label}.`, desk);
  }
  const isText = what !== "status" && what !== "json";
  const texts = values.map((value) =>
    typeof value === "string" ? value : JSON.stringify(value, null, 2),
  );
  const isLong = texts.join("").length > LONG;
  const text = isLong
    ? `${label}:\n\n${texts.join("\n\n")}`
    : sentence(`${label}: ${listed(values.map(shown))}`);
  const result = told(part, "", {
    data: first,
    sentence: text.slice(0, MAX_SENTENCE),
    text,
    output: isText ? "text" : "json",
    ...(read[0]?.nodeType && { nodeType: read[0].nodeType }),
    sources: read.flatMap(({ callId }) => callId ?? []),
    notes: read.some(({ cut }) => cut) && isText ? ["A page was too long and is cut."] : [],
  });
  if (others.length === 0) return result;
  const rows = read.map(({ url }, at) => [url, values[at] ?? null]);
  return { ...result, columns: ["url", label], rows, data: values, output: "table" };
}

/** The most characters of a summary. */
const MAX_SUMMARY = 800;

/** Returns the title and the description of a page and its first sentences, word by word. */
function summaryOf({ title, description, text, headings }: ReadPage): string | null {
  const paragraphs = text
    .split(/\n{2,}/)
    .filter((part) => !/^\s*(?:[#|>*-]|\d+[.)])/.test(part))
    .map(plainText)
    .filter((part) => part.length >= 40);
  const named = headings.filter(({ level }) => level <= 2).map((heading) => heading.text);
  const kept: string[] = [];
  for (const each of [
    title && sentence(title),
    description && sentence(description),
    ...paragraphs,
  ]) {
    if (each !== "" && [...kept, each].join(" ").length <= MAX_SUMMARY) kept.push(each);
  }
  if (headings.length > 1) kept.push(`Sections: ${named.slice(0, 12).join(", ")}.`);
  return kept.join(" ") || null;
}
