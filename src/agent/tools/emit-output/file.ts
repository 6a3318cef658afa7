import type { OutputFile } from "../../../contract/tools/answer.ts";
import type { EmitOutputInput } from "../../../contract/tools/emit-output.ts";
import { isSafeName, UNSAFE_NAME } from "../file-name.ts";
import { toCsv, toJson, toTable, toText } from "../material/convert.ts";
import { type Made, made, notMade } from "../material/made.ts";
import type { Material } from "../material/material.ts";
import { isText } from "../media.ts";

/** A row of the store holds 2 MB; this leaves room for what stands beside it. */
const MAX_FILE_BYTES = 1024 * 1024;

const TYPES: Record<string, string | undefined> = {
  csv: "text/csv",
  htm: "text/html",
  html: "text/html",
  json: "application/json",
  md: "text/markdown",
  txt: "text/plain",
  xml: "application/xml",
  yaml: "application/yaml",
  yml: "application/yaml",
};

const EXTENSIONS: Record<string, string | undefined> = {
  "application/json": "json",
  "application/xml": "xml",
  "application/yaml": "yaml",
  "text/csv": "csv",
  "text/html": "html",
  "text/markdown": "md",
};

/** Makes a file of text: CSV of tables, JSON of values, or the text itself, as its type asks. */
export function toFile(input: EmitOutputInput, material: Material): Made<OutputFile> {
  const { filename, label } = input;
  if (filename !== undefined && !isSafeName(filename)) return notMade(UNSAFE_NAME);
  const mediaType = (input.mediaType ?? typeOf(filename, material)).toLowerCase();
  const essence = mediaType.split(";", 1)[0]?.trim() ?? mediaType;
  if (!isText(essence)) return notMade(`Only files of text can be made, not ${mediaType}.`);
  const text = fileText(essence, material);
  if (!text.ok) return text;
  const bytes = new TextEncoder().encode(text.value);
  if (bytes.byteLength > MAX_FILE_BYTES) return notMade("The file is over 1 MiB.");
  return made({ filename: filename ?? nameFor(label, essence), mediaType, bytes });
}

function fileText(mediaType: string, material: Material): Made<string> {
  const isOwnText = "value" in material && typeof material.value === "string";
  if (isOwnText) return made(toText(material).text);
  if (mediaType === "text/csv" && toText(material).mediaType !== "text/csv") {
    const rows = toTable(material);
    return rows.ok ? made(toCsv(rows.value)) : rows;
  }
  if (mediaType === "application/json") {
    const json = toJson(material);
    return json.ok ? made(JSON.stringify(json.value, null, 2)) : json;
  }
  return made(toText(material).text);
}

function typeOf(filename: string | undefined, material: Material): string {
  const extension = /\.([a-z0-9]+)$/i.exec(filename ?? "")?.[1]?.toLowerCase() ?? "";
  const fallback = material.from === "data" ? "text/csv" : toText(material).mediaType;
  return TYPES[extension] ?? (fallback || "text/plain");
}

function nameFor(label: string, mediaType: string): string {
  const words = label.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ["output"];
  return `${words.join("-").slice(0, 60)}.${EXTENSIONS[mediaType] ?? "txt"}`;
}
