import type { NodeType } from "../../../../contract/execution.ts";
import type { ToolAnswer } from "../../../../contract/tools/call.ts";
import type { DataSource, Extraction } from "../../../../contract/tools/process-data.ts";
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
import type { Table } from "../../../tools/process-data/table.ts";
import { cellText } from "../../../tools/process-data/values/cells.ts";
import { failure, type Result, readAnswerContent, success } from "../../../tools/source-content.ts";
import type { MaterialPage, MaterialTable } from "../program.ts";
import { htmlTables, jsonTables } from "./tables.ts";

/** A page that was read, with what only the run needs. */
export interface ReadPage extends MaterialPage {
  description: string;
  /** The HTTP status; null if the tool does not report it. */
  status: number | null;
  /** The kind of output that its content is; null for data of the prompt. */
  nodeType: NodeType | null;
}

/** A read page, or why there is none. */
export type Reading = Result<ReadPage>;

/** Pages by their answers: a plan is walked again at each step. */
const seen = new WeakMap<ToolAnswer, Reading>();

/** Reads the answer of a call. All knowledge of the tools' answers is behind this door. */
export function readAnswer(callId: string, answer: ToolAnswer): Reading {
  const reading = seen.get(answer) ?? newReading(callId, answer);
  seen.set(answer, reading);
  return reading;
}

function newReading(callId: string, answer: ToolAnswer): Reading {
  if (!answer.ok) return failure(answer.error.message);
  const content = readAnswerContent(answer.content);
  const loaded = loadSource({ callId }, () => answer);
  // A response without a readable body still has a status.
  if (!loaded.ok && content?.from !== "response") return failure(loaded.error.message);
  const read = pageOf(loaded.ok ? loaded.value : plainSource("", NO_ORIGIN), { callId });
  switch (content?.from) {
    case "page": {
      const { url, title, description = "" } = content.page;
      return success({ ...read, url, title, description, nodeType: "WEB_PAGE" });
    }
    case "response": {
      const { url, status } = content.response;
      return success({ ...read, url, status, nodeType: "HTTP_RESPONSE" });
    }
    case "code":
      return success({ ...read, json: content.value, nodeType: "CODE_RESULT" });
    default:
      return success(read);
  }
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
  return loaded.ok ? success(pageOf(loaded.value, from)) : failure(loaded.error.message);
}

function pageOf(source: Source, from: DataSource): ReadPage {
  const { text, cut } = source;
  const head = { url: null, title: "", description: "", status: null, nodeType: null };
  const callId = "callId" in from ? from.callId : null;
  const page = { ...head, from, callId, text, cut, links: source.links(), headings: [], items: [] };
  const json = source.json();
  const isDocument = json !== undefined && /^[[{]/.test(text.trimStart());
  if (isDocument) return { ...page, tables: jsonTables(json), json };
  const own = htmlTables(source);
  if (json !== undefined) return { ...page, tables: own };
  return {
    ...page,
    headings: source.headings(),
    items: extractLists(source).table.rows.flat().map(cellText),
    tables: [
      ...own,
      ...(own.some(({ rows }) => rows.length > 1) ? [] : cardTables(source)),
      ...listTables(source),
      ...filled("record", titleOf(source) || null, extractFacts(source).table, { kind: "facts" }),
    ],
  };
}

function filled(
  kind: MaterialTable["kind"],
  caption: string | null,
  table: Table,
  extract: Extraction,
): MaterialTable[] {
  return table.rows.length === 0 ? [] : [{ kind, caption, ...table, extract }];
}

function cardTables(source: Source): MaterialTable[] {
  const { table, links } = extractCards(source);
  const cards = filled("cards", null, table, { kind: "cards" });
  return links.length > 0 ? cards.map((card) => ({ ...card, links })) : cards;
}

/** Returns the lists under headings. Most items of "Label: value" are facts of one thing, not a list. */
function listTables(source: Source): MaterialTable[] {
  return [...itemsByHeading(source)].flatMap(([heading, items]) => {
    const facts = items.filter((item) => pairOf(item) !== null).length;
    if (facts * 2 >= items.length) return [];
    const { table } = extractLists(source, heading);
    return filled("list", heading, table, { kind: "lists", heading });
  });
}
