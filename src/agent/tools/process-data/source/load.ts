import { table } from "../../../../contract/execution.ts";
import type { Json } from "../../../../contract/json.ts";
import type { ToolAnswer } from "../../../../contract/tools/answer.ts";
import { pageContent } from "../../../../contract/tools/browse.ts";
import { httpResponseContent } from "../../../../contract/tools/http-request.ts";
import { mcpToolContent } from "../../../../contract/tools/mcp.ts";
import { type DataSource, dataContent } from "../../../../contract/tools/process-data.ts";
import { codeContent } from "../../../../contract/tools/run-code.ts";
import { isObject } from "../../../../lib/json-values.ts";
import { isWithinDepth } from "../json/shape.ts";
import { MAX_DEPTH } from "../limits.ts";
import { found, type Outcome, refused } from "../outcome.ts";
import { tableOfGrid } from "../table.ts";
import {
  type Format,
  jsonSource,
  NO_ORIGIN,
  pageSource,
  type Source,
  tableSource,
  textSource,
} from "./source.ts";

/** Loads one source: text given inline, or what an earlier call answered. */
export function loadSource(
  source: DataSource,
  earlier: (callId: string) => ToolAnswer | null,
): Outcome<Source> {
  if ("data" in source) return textSource(source.data, source.format, NO_ORIGIN);
  const answer = earlier(source.callId);
  if (answer === null) return refused("unknown_call", `There is no earlier call ${source.callId}.`);
  if (!answer.ok) {
    const reason = `The call ${source.callId} failed: ${answer.error.message}`;
    return refused("unreadable_source", reason);
  }
  if (!isWithinDepth(answer.content, MAX_DEPTH)) {
    return refused("unreadable_source", `The answer of ${source.callId} nests too deeply.`);
  }
  const loaded = contentSource(answer.content);
  return (
    loaded ?? refused("unreadable_source", `The call ${source.callId} answered nothing to read.`)
  );
}

/** A large body is not walked by the schema once more: an answer is JSON already, by its type. */
const responseHead = httpResponseContent.omit({ json: true });

/** The answers of the five kinds of tools have no shape in common, so the first that fits is the one. */
function contentSource(content: Json): Outcome<Source> | null {
  if (!isObject(content)) return null;
  const data = dataContent.safeParse(content);
  if (data.success) {
    const { columns, rows, cut } = data.data;
    return found(tableSource(tableOfGrid(columns, rows), { ...NO_ORIGIN, cut }));
  }
  const page = pageContent.safeParse(content);
  if (page.success) {
    const { mediaType, text, url, title, cut } = page.data;
    if (/html/i.test(mediaType)) return found(pageSource(page.data));
    return textSource(text, formatOf(mediaType), { url, title, cut });
  }
  const code = codeContent.safeParse(content);
  if (code.success) return codeSource(code.data.value);
  const remote = mcpToolContent.safeParse(content);
  if (remote.success) {
    const { json, text = "", cut } = remote.data;
    const origin = { ...NO_ORIGIN, cut };
    return json === undefined ? textSource(text, "auto", origin) : jsonSource(json, origin);
  }
  const response = responseHead.safeParse(content);
  if (!response.success) return null;
  const { url, mediaType, text = "", cut } = response.data;
  const origin = { url, title: "", cut };
  return content.json === undefined
    ? textSource(text, formatOf(mediaType), origin)
    : jsonSource(content.json, origin);
}

/** What code returned: a text of any format, rows under columns, or any other JSON. */
function codeSource(value: Json): Outcome<Source> {
  if (typeof value === "string") return textSource(value, "auto", NO_ORIGIN);
  const rows = table.safeParse(value);
  if (!rows.success) return jsonSource(value, NO_ORIGIN);
  return found(tableSource(tableOfGrid(rows.data.columns, rows.data.rows), NO_ORIGIN));
}

function formatOf(mediaType: string): Format {
  if (/html/i.test(mediaType)) return "html";
  if (/\/(?:csv|tab-separated-values)/i.test(mediaType)) return "csv";
  return "auto";
}
