import type { Json } from "../../../../contract/json.ts";
import { followPath } from "../../../tools/process-data/json.ts";
import { plainText } from "../../../tools/process-data/markdown.ts";
import type { Answer, Part } from "../program.ts";
import { type Result, type Room, told } from "./result.ts";
import { failPart } from "./rows.ts";
import type { ReadPage } from "./view.ts";
import { listed, sentence, shown } from "./words.ts";

type PageAnswer = Extract<Answer, { kind: "page" }>;

/** From this length on, a text stands below its label. */
const LONG = 500;
const MAX_SENTENCE = 4_000;

/** Answers what is asked of whole pages: their text, title, description or status, or a JSON value. */
export function pageResult(
  part: Part,
  answer: PageAnswer | Extract<Answer, { kind: "json" }>,
  { desk, pages }: Room,
): Result | null {
  const { label } = part;
  const ids = answer.kind === "json" ? [answer.sourceId] : answer.sourceIds;
  const read = ids.flatMap((id) => pages.get(id) ?? []);
  const values = read.map((page) =>
    answer.kind === "json" ? valueAt(page, answer.path) : factOf(page, answer.what),
  );
  const [first = null, ...others] = values;
  const lacking = read[values.indexOf(null)];
  if (first === null || lacking !== undefined) {
    return failPart(part, `${lacking?.url ?? "The data"} has no ${label}.`, desk);
  }
  const nodeType = read[0]?.nodeType ?? null;
  const isSingle = others.length === 0;
  const isText = answer.kind === "page" && answer.what !== "status";
  const texts = values.map((value) =>
    typeof value === "string" ? value : JSON.stringify(value, null, 2),
  );
  const long = `${label}:\n\n${texts.join("\n\n")}`;
  const text =
    texts.join("").length > LONG ? long : sentence(`${label}: ${listed(values.map(shown))}`);
  return told(part, "", {
    ...(isSingle
      ? {}
      : {
          columns: ["url", label],
          rows: values.map((value, at) => [read[at]?.url ?? null, value]),
        }),
    data: isSingle ? first : values,
    sentence: text.slice(0, MAX_SENTENCE),
    text,
    output: !isSingle ? "table" : isText ? "text" : "json",
    ...(nodeType !== null && { nodeType }),
    sources: read.flatMap(({ callId }) => callId ?? []),
    notes: read.some(({ cut }) => cut) && isText ? ["A page was too long and is cut."] : [],
  });
}

function valueAt({ json }: ReadPage, path: string): Json {
  if (json === undefined || path === "") return json ?? null;
  const reached = followPath(json, path);
  if (!reached.ok) return null;
  const [first = null, ...others] = reached.value.values;
  return others.length === 0 ? first : reached.value.values;
}

function factOf(page: ReadPage, what: PageAnswer["what"]): Json {
  switch (what) {
    case "text":
      return page.text;
    case "title":
      return page.title || (page.headings[0]?.text ?? null);
    case "description":
      return page.description || null;
    case "status":
      return page.status;
    case "summary":
      return summaryOf(page);
  }
}

/** The most characters of a summary. */
const MAX_SUMMARY = 800;

/** Returns the description of a page and its first sentences, word by word. */
function summaryOf({ title, description, text, headings }: ReadPage): string | null {
  const paragraphs = text
    .split(/\n{2,}/)
    .filter((part) => !/^\s*(?:[#|>*-]|\d+[.)])/.test(part))
    .map(plainText)
    .filter((part) => part.length >= 40);
  const named = headings.filter(({ level }) => level <= 2).map((heading) => heading.text);
  const about = headings.length > 1 ? [`Sections: ${named.slice(0, 12).join(", ")}.`] : [];
  const kept: string[] = [];
  for (const each of [
    title && sentence(title),
    description && sentence(description),
    ...paragraphs,
  ]) {
    if (each !== "" && [...kept, each].join(" ").length <= MAX_SUMMARY) kept.push(each);
  }
  return [...kept, ...about].join(" ") || null;
}
