import * as z from "zod";
import type { Turn } from "../../../contract/conversation.ts";
import type { Json, JsonObject } from "../../../contract/json.ts";
import type { ToolAnswer } from "../../../contract/tools/call.ts";
import type { ToolName } from "../../../contract/tools/names.ts";
import { pageContent, pageExcerpt, pagePart } from "../../../contract/tools/web.ts";
import { isObject } from "../../../lib/json-values.ts";
import { MAX_SHORT_BYTES } from "./budget.ts";
import {
  byteLength,
  escapedLength,
  escapeMarks,
  escapeMarksInText,
  truncateToBytes,
  untrustedData,
} from "./text.ts";

/** A tool's answer as a model reads it, without data marks, as far as each prompt needs it. */
export interface SerializedAnswer {
  /** Its length in UTF-8. */
  bytes: number;
  characters: number;
  /** The start of it, as long as an older step may show. */
  start: string;
  /** Serializes all of it again. */
  whole(): string;
  /** Where its text is from, if it is a page. */
  place: PagePlace | null;
  /** Whether its tool left out a part that was too long. */
  isPartial: boolean;
}

/** Returns a turn's answer: a page as a line of JSON and its Markdown, all others as JSON. */
export function serializeAnswer(turn: Turn & { role: "tool" }): SerializedAnswer {
  const { callId, answer } = turn;
  const { text, place } = textOf(callId, answer);
  const isPartial = answer.ok && isObject(answer.content) && answer.content.cut === true;
  // Reads the answer again: it may be in storage.
  const whole = () => textOf(callId, turn.answer).text;
  return { ...measure(text, whole), place, isPartial };
}

const NOT_RUN: ToolAnswer = {
  ok: false,
  error: { code: "not_run", message: "The call was abandoned before it had an answer." },
};
const NOT_RUN_TEXT = JSON.stringify({ error: NOT_RUN.error });

/** The answer of a call that has none. */
export const MISSING_ANSWER: SerializedAnswer = {
  ...measure(NOT_RUN_TEXT, () => NOT_RUN_TEXT),
  place: null,
  isPartial: false,
};

/** Separates a page's text from the line of JSON before it. */
const BREAK = "\n\n";

function textOf(callId: string, answer: ToolAnswer): { text: string; place: PagePlace | null } {
  const page = answer.ok ? shownPage(callId, answer.content) : null;
  if (page === null) {
    const value = answer.ok ? answer.content : { error: answer.error };
    return { text: escapeMarks(JSON.stringify(value)), place: null };
  }
  const head = escapeMarks(JSON.stringify(page.head));
  return { text: head + BREAK + escapeMarksInText(page.text), place: page.place };
}

function measure(text: string, whole: () => string) {
  const start = truncateToBytes(text, MAX_SHORT_BYTES);
  return { bytes: byteLength(text), characters: text.length, start, whole };
}

/**
 * Renders a tool's answer for a language model: marked as data, with at most `limit` bytes. What is left
 * out is noted outside of the mark, where the data cannot forge it, with the ways to the rest that the
 * execution's tools allow.
 */
export function renderAnswer(
  answer: { callId: string; tool: string; json: SerializedAnswer },
  limit: number,
  tools: ReadonlySet<string>,
): string {
  const { callId, tool, json } = answer;
  const least = Math.min(json.bytes, limit);
  const shown = truncateToBytes(least <= MAX_SHORT_BYTES ? json.start : json.whole(), least);
  const data = untrustedData({ source: tool, call_id: callId }, shown);
  const note =
    json.place === null ? cutNote(answer, shown, tools) : pageNote(json.place, shown, tools);
  const notes = [...(note === null ? [] : [note]), ...(json.isPartial ? [PARTIAL] : [])];
  return notes.length === 0 ? data : `${data}\n${notes.join(" ")}`;
}

const PARTIAL = "The tool itself left out a part that was too long. Ask for less at once.";

/** Tools whose answers `process_data` reads by the call's id. */
const READABLE: ReadonlySet<string> = new Set<ToolName>([
  "browse",
  "search_web",
  "http_request",
  "process_data",
  "run_code",
]);

function cutNote(
  { callId, tool, json }: { callId: string; tool: string; json: SerializedAnswer },
  shown: string,
  tools: ReadonlySet<string>,
): string | null {
  if (shown.length >= json.characters) return null;
  const isReadable = READABLE.has(tool) || tool.startsWith("mcp__");
  const note = `Cut: only the first ${shown.length} of ${json.characters} characters are shown.`;
  return note + waysToRest(callId, isReadable ? wholeBy(tools) : []);
}

/** Returns the note of a page of which a part is shown, or null if it is shown to its end. */
function pageNote(place: PagePlace, shown: string, tools: ReadonlySet<string>): string | null {
  const { callId, offset, total } = place;
  const browse = (position: number) =>
    tools.has("browse") ? [`browse with "offset": ${position}`] : [];
  if (offset === null) {
    const note = `These are passages of a text of ${total} characters.`;
    return note + waysToRest(callId, [...browse(0), ...wholeBy(tools)]);
  }
  const at = shown.indexOf(BREAK);
  const read = at === -1 ? 0 : escapedLength(shown.slice(at + BREAK.length));
  const end = Math.min(offset + read, total);
  if (end === total) return null;
  const note = `Cut: characters ${offset} to ${end} of ${total} are shown.`;
  return note + waysToRest(callId, [...browse(end), ...wholeBy(tools)]);
}

/** Returns the ways to process a whole answer. */
function wholeBy(tools: ReadonlySet<string>): string[] {
  return [
    ...(tools.has("process_data") ? ["process_data as a source"] : []),
    ...(tools.has("run_code") ? ['run_code in "from"'] : []),
  ];
}

function waysToRest(callId: string, ways: readonly string[]): string {
  return ways.length === 0
    ? " No tool here reads the rest. Ask for less at once."
    : ` The rest by callId ${JSON.stringify(callId)}: ${ways.join("; ")}.`;
}

/** A page, or a part of one, as a model reads it: its Markdown once, and no copies of its tables and links. */
interface ShownPage {
  /** What is known of the page, without its text. */
  head: JsonObject;
  text: string;
  /** Where the text comes from. */
  place: PagePlace;
}

interface PagePlace {
  /** The call that opened the page. */
  callId: string;
  /** The position of the text in the page's, or null for passages of an earlier version. */
  offset: number | null;
  /** The length of the page's text. */
  total: number;
}

/** A page's content without a look at each table and link, of which there can be thousands. */
const page = z.object({
  ...pageContent.shape,
  headings: z.array(z.unknown()),
  links: z.array(z.unknown()),
  tables: z.array(z.unknown()),
  excerpt: pageExcerpt.exactOptional(),
});

/** Returns the page in an answer of `browse`, or null if there is none. */
function shownPage(callId: string, content: Json): ShownPage | null {
  const part = pagePart.safeParse(content);
  if (part.success) {
    const { page: opened, url, title, excerpt } = part.data;
    return excerptShown(opened, { url, title }, excerpt);
  }
  const whole = page.safeParse(content);
  if (!whole.success) return null;
  const { text, headings: _, links: __, tables: ___, cut: ____, excerpt, ...head } = whole.data;
  if (excerpt !== undefined) return excerptShown(callId, head, excerpt);
  return { head, text, place: { callId, offset: 0, total: text.length } };
}

function excerptShown(
  callId: string,
  head: JsonObject,
  excerpt: z.infer<typeof pageExcerpt>,
): ShownPage {
  const { offset = null, text, total } = excerpt;
  return { head: { ...head, offset, total }, text, place: { callId, offset, total } };
}
