import type { NodeType } from "../../../../contract/execution.ts";
import type { Json } from "../../../../contract/json.ts";
import { pageContent } from "../../../../contract/tools/browse.ts";
import type { ToolAnswer } from "../../../../contract/tools/call.ts";
import { httpResponseContent } from "../../../../contract/tools/http-request.ts";
import type { DataSource } from "../../../../contract/tools/process-data.ts";
import { codeContent } from "../../../../contract/tools/run-code.ts";
import {
  loadSource,
  NO_ORIGIN,
  plainSource,
  type Source,
} from "../../../tools/process-data/source.ts";
import type { MaterialPage } from "../program.ts";
import { cardTables } from "./view/cards.ts";
import { jsonTables } from "./view/json-tables.ts";
import { itemsOf, listTables } from "./view/lists.ts";
import { recordTables } from "./view/record.ts";
import { htmlTables } from "./view/tables.ts";

/** A page that was read, with what only the run needs. */
export interface ReadPage extends MaterialPage {
  description: string;
  /** The HTTP status; null if the tool does not report it. */
  status: number | null;
  /** Whether a real browser ran the page's JavaScript. */
  rendered: boolean;
  /** What the tool could not do. */
  notes: string[];
  /** The kind of output that its content is; null for data of the prompt. */
  nodeType: NodeType | null;
}

/** A read page, or why there is none. */
export type Reading = { ok: true; page: ReadPage } | { ok: false; message: string };

/** What an answer says beside its data. */
type Head = Pick<
  ReadPage,
  "url" | "title" | "description" | "status" | "rendered" | "notes" | "nodeType"
>;

const NO_HEAD: Head = {
  url: null,
  title: "",
  description: "",
  status: null,
  rendered: false,
  notes: [],
  nodeType: null,
};

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
  const code = codeContent.safeParse(answer.content);
  if (loaded.ok && code.success) {
    const page = pageOf(loaded.value, { callId }, head);
    const { value, console: notes } = code.data;
    return { ok: true, page: { ...page, json: value, notes, nodeType: "CODE_RESULT" } };
  }
  if (loaded.ok) return { ok: true, page: pageOf(loaded.value, { callId }, head) };
  // A response without a readable body still has a status.
  if (head.status === null) return { ok: false, message: loaded.error.message };
  return { ok: true, page: pageOf(plainSource("", NO_ORIGIN), { callId }, head) };
}

/** Returns why a page has no data to work on, or null: a status that is an error, or an empty body. */
export function emptiness({ status, text, json }: ReadPage): string | null {
  if (status !== null && (status < 200 || status > 299)) {
    return `It answered with status ${status}.`;
  }
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
    const { url, title, description = "", rendered = false, notes = [] } = page.data;
    return { ...NO_HEAD, url, title, description, rendered, notes, nodeType: "WEB_PAGE" };
  }
  const response = httpResponseContent.omit({ json: true }).safeParse(content);
  if (!response.success) return NO_HEAD;
  const { url, status } = response.data;
  return { ...NO_HEAD, url, status, nodeType: "HTTP_RESPONSE" };
}

function pageOf(source: Source, from: DataSource, head: Head): ReadPage {
  const json = source.json();
  const isDocument = json !== undefined && /^[[{]/.test(source.text.trimStart());
  const callId = "callId" in from ? from.callId : null;
  const plain = { ...head, from, callId, text: source.text, cut: source.cut };
  if (isDocument) {
    const tables = jsonTables(json);
    return { ...plain, headings: [], links: source.links(), items: [], tables, json };
  }
  if (json !== undefined) {
    return { ...plain, headings: [], links: source.links(), items: [], tables: htmlTables(source) };
  }
  const headings = source.headings();
  const name = headings.find(({ level }) => level === 1)?.text ?? head.title;
  const tables = htmlTables(source);
  const hasRows = tables.some(({ rows }) => rows.length > 1);
  return {
    ...plain,
    headings,
    links: source.links(),
    items: itemsOf(source.text),
    tables: [
      ...tables,
      ...(hasRows ? [] : cardTables(source.text)),
      ...listTables(source.text),
      ...recordTables(source, { title: name, description: head.description }),
    ],
  };
}
