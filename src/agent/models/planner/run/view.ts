import type { NodeType } from "../../../../contract/execution.ts";
import type { Json } from "../../../../contract/json.ts";
import { pageContent } from "../../../../contract/tools/browse.ts";
import type { ToolAnswer } from "../../../../contract/tools/call.ts";
import { httpResponseContent } from "../../../../contract/tools/http-request.ts";
import type { DataSource } from "../../../../contract/tools/process-data.ts";
import { codeContent } from "../../../../contract/tools/run-code.ts";
import { extractCards } from "../../../tools/process-data/cards.ts";
import { extractLists, itemsByHeading } from "../../../tools/process-data/extract.ts";
import { extractFacts, titleOf } from "../../../tools/process-data/facts.ts";
import { pairOf } from "../../../tools/process-data/pairs.ts";
import {
  loadSource,
  NO_ORIGIN,
  plainSource,
  type Source,
} from "../../../tools/process-data/source.ts";
import { cellText } from "../../../tools/process-data/values/cells.ts";
import type { MaterialPage, MaterialTable } from "../program.ts";
import { jsonTables } from "./view/json-tables.ts";
import { htmlTables } from "./view/tables.ts";

/** A page that was read, with what only the run needs. */
export interface ReadPage extends MaterialPage {
  description: string;
  /** The HTTP status; null if the tool does not report it. */
  status: number | null;
  /** The kind of output that its content is; null for data of the prompt. */
  nodeType: NodeType | null;
}

/** A read page, or why there is none. */
export type Reading = { ok: true; page: ReadPage } | { ok: false; message: string };

/** What an answer says beside its data. */
type Head = Pick<ReadPage, "url" | "title" | "description" | "status" | "nodeType">;

const NO_HEAD: Head = { url: null, title: "", description: "", status: null, nodeType: null };

/** Pages by their answers: a plan is walked again at each step. */
const seen = new WeakMap<ToolAnswer, Reading>();

/** Reads the answer of a call. All knowledge of the tools' answers is behind this door. */
export function readAnswer(callId: string, answer: ToolAnswer): Reading {
  const known = seen.get(answer);
  if (known !== undefined) return known;
  const reading = newReading(callId, answer);
  seen.set(answer, reading);
  return reading;
}

function newReading(callId: string, answer: ToolAnswer): Reading {
  if (!answer.ok) return { ok: false, message: answer.error.message };
  const head = headOf(answer.content);
  const loaded = loadSource({ callId }, () => answer);
  // A response without a readable body still has a status.
  if (!loaded.ok && head.status === null) return { ok: false, message: loaded.error.message };
  const source = loaded.ok ? loaded.value : plainSource("", NO_ORIGIN);
  const page = pageOf(source, { callId }, head);
  const code = codeContent.safeParse(answer.content);
  if (!code.success) return { ok: true, page };
  return { ok: true, page: { ...page, json: code.data.value, nodeType: "CODE_RESULT" } };
}

/** Returns why a page has no data to work on, or null: a status that is an error, or an empty body. */
export function emptiness({ status, text, json }: ReadPage): string | null {
  const isError = status !== null && (status < 200 || status > 299);
  if (isError) return `It answered with status ${status}.`;
  return text.trim() === "" && json === undefined ? "It has no readable content." : null;
}

/** Reads data that stands in the prompt or in the inputs. */
export function readData(data: string, format: "auto" | "csv" | "json" | "text"): Reading {
  const from: DataSource = { data, format };
  const loaded = loadSource(from, () => null);
  if (!loaded.ok) return { ok: false, message: loaded.error.message };
  return { ok: true, page: pageOf(loaded.value, from, NO_HEAD) };
}

function headOf(content: Json): Head {
  const page = pageContent.safeParse(content);
  if (page.success) {
    const { url, title, description = "" } = page.data;
    return { ...NO_HEAD, url, title, description, nodeType: "WEB_PAGE" };
  }
  const response = httpResponseContent.omit({ json: true }).safeParse(content);
  if (!response.success) return NO_HEAD;
  const { url, status } = response.data;
  return { ...NO_HEAD, url, status, nodeType: "HTTP_RESPONSE" };
}

function pageOf(source: Source, from: DataSource, head: Head): ReadPage {
  const { text, cut } = source;
  const callId = "callId" in from ? from.callId : null;
  const page = { ...head, from, callId, text, cut, links: source.links(), headings: [], items: [] };
  const json = source.json();
  if (json !== undefined) {
    const isDocument = /^[[{]/.test(text.trimStart());
    return isDocument
      ? { ...page, tables: jsonTables(json), json }
      : { ...page, tables: htmlTables(source) };
  }
  const tables = htmlTables(source);
  return {
    ...page,
    headings: source.headings(),
    items: extractLists(source).table.rows.flat().map(cellText),
    tables: [
      ...tables,
      ...(tables.some(({ rows }) => rows.length > 1) ? [] : cardTables(source)),
      ...listTables(source),
      ...recordTables(source),
    ],
  };
}

function cardTables(source: Source): MaterialTable[] {
  const { table, links } = extractCards(source);
  if (table.rows.length === 0) return [];
  const card = {
    kind: "cards" as const,
    caption: null,
    ...table,
    extract: { kind: "cards" as const },
  };
  return [links.length > 0 ? { ...card, links } : card];
}

/** Returns the lists under headings. Most items of "Label: value" are facts of one thing, not a list. */
function listTables(source: Source): MaterialTable[] {
  return [...itemsByHeading(source)].flatMap(([heading, items]) => {
    const facts = items.filter((item) => pairOf(item) !== null).length;
    const { table } = extractLists(source, heading);
    const extract = { kind: "lists" as const, heading };
    return facts * 2 < items.length
      ? [{ kind: "list" as const, caption: heading, ...table, extract }]
      : [];
  });
}

function recordTables(source: Source): MaterialTable[] {
  const { table } = extractFacts(source);
  const caption = titleOf(source) || null;
  return table.rows.length === 0
    ? []
    : [{ kind: "record", caption, ...table, extract: { kind: "facts" } }];
}
