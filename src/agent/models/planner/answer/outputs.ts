import type { Json } from "../../../../contract/json.ts";
import type { Form } from "../plan/types.ts";
import type { Part } from "./parts.ts";

/** How a piece of the answer is handed over as an output. */
export type OutputType = "table" | "json" | "text" | "link";

function labelOf(part: Part): string {
  return part.label.charAt(0).toUpperCase() + part.label.slice(1);
}

/** The one link of a piece. */
function linkOf({ records }: Part): { text: string; url: string } | null {
  const [record] = records;
  if (record === undefined || typeof record.url !== "string") return null;
  return { text: typeof record.text === "string" ? record.text.trim() : "", url: record.url };
}

/** The input of the emit_output call for a piece, or null when it needs none. */
export function outputInput(part: Part, form: Form): Json | null {
  if (part.output === null || part.status !== "found") return null;
  const label = labelOf(part);
  if (form === "csv" && part.callId !== null) {
    const filename = `${part.label.replace(/[^a-z0-9]+/gi, "-").toLowerCase() || "data"}.csv`;
    return {
      label,
      type: "file",
      from: part.callId,
      filename,
      mediaType: "text/csv",
      sources: [part.callId],
    };
  }
  const sources = part.callId === null ? part.sources : [part.callId];
  const given = {
    ...(sources.length === 0 ? {} : { sources: sources.slice(0, 50) }),
    ...(part.nodeType === undefined ? {} : { nodeType: part.nodeType }),
  };
  const link = part.output === "link" ? linkOf(part) : null;
  if (link !== null && form !== "table" && form !== "json") {
    return { label: link.text.slice(0, 200) || label, type: "link", url: link.url, ...given };
  }
  if (part.callId !== null && (/^(?:table|link)$/.test(part.output) || form === "table")) {
    return { label, type: "table", from: part.callId, ...given };
  }
  if (part.output === "table") {
    const columns = [...new Set(part.records.flatMap((record) => Object.keys(record)))];
    const rows = part.records.map((record) => columns.map((name) => record[name] ?? null));
    return { label, type: "table", value: { columns, rows }, ...given };
  }
  if (part.output === "text" && form !== "json") {
    return {
      label,
      type: "text",
      value: typeof part.data === "string" ? part.data : part.summary,
      ...given,
    };
  }
  return { label, type: "json", value: part.data ?? null, ...given };
}
