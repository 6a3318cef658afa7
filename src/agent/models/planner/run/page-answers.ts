import type { Json } from "../../../../contract/json.ts";
import { followPath } from "../../../tools/process-data/json.ts";
import { plainText } from "../../../tools/process-data/markdown.ts";
import type { Answer, Part } from "../program.ts";
import type { Result } from "./results.ts";
import type { Step } from "./rows.ts";
import type { ReadPage } from "./view.ts";
import { listed, sentence, shown } from "./words.ts";

type PageAnswer = Extract<Answer, { kind: "page" }>;
type JsonAnswer = Extract<Answer, { kind: "json" }>;

/** Answers what is asked of whole pages: their text, title, description or status, or a JSON value. */
export function pageResult(
  part: Part,
  answer: PageAnswer | JsonAnswer,
  pages: ReadonlyMap<string, readonly ReadPage[]>,
): Step<Result> {
  const ids = answer.kind === "json" ? [answer.sourceId] : answer.sourceIds;
  const read = ids.flatMap((id) => pages.get(id) ?? []);
  if (read.length === 0)
    return { kind: "failed", message: `There is no page for "${part.label}".` };
  const values: Json[] = [];
  for (const page of read) {
    const value = answer.kind === "json" ? valueAt(page, answer.path) : factOf(page, answer.what);
    if (value === null) {
      return { kind: "failed", message: `${page.url ?? "The data"} has no ${part.label}.` };
    }
    values.push(value);
  }
  return { kind: "done", value: resultOfValues(part, answer, read, values) };
}

function resultOfValues(
  part: Part,
  answer: PageAnswer | JsonAnswer,
  pages: readonly ReadPage[],
  values: readonly Json[],
): Result {
  const [first = null, ...others] = values;
  const nodeType = pages[0]?.nodeType ?? null;
  const isSingle = others.length === 0;
  const texts = values.map((value) =>
    typeof value === "string" ? value : JSON.stringify(value, null, 2),
  );
  const isLong = texts.join("").length > 500;
  const said = isLong
    ? `${part.label}:\n\n${texts.join("\n\n")}`
    : sentence(`${part.label}: ${listed(values.map(shown))}`);
  const isText = answer.kind === "page" && answer.what !== "status";
  return {
    part,
    isFound: true,
    columns: isSingle ? [part.label] : ["url", part.label],
    rows: isSingle ? [[first]] : values.map((value, index) => [pages[index]?.url ?? null, value]),
    data: isSingle ? first : [...values],
    sentence: said.slice(0, 4_000),
    text: said,
    output: isText && isSingle ? "text" : isSingle ? "json" : "table",
    callId: null,
    ...(nodeType === null ? {} : { nodeType }),
    sources: pages.flatMap(({ callId }) => callId ?? []),
    notes: pages.some(({ cut }) => cut) && isText ? ["A page was too long and is cut."] : [],
  };
}

function valueAt({ json }: ReadPage, path: string): Json {
  if (json === undefined) return null;
  if (path === "") return json;
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
    case "screenshot":
      // The file is an output of the call itself.
      return page.rendered ? page.url : null;
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
  const parts = [title && sentence(title), description && sentence(description), ...paragraphs];
  const kept: string[] = [];
  for (const each of parts.filter(Boolean)) {
    if (kept.join(" ").length + each.length <= MAX_SUMMARY) kept.push(each);
  }
  const whole = [...kept, ...about].join(" ");
  return whole === "" ? null : whole;
}
