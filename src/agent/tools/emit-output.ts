import { isSafeFileName } from "../../contract/files.ts";
import type { Json } from "../../contract/json.ts";
import type { NodeType } from "../../contract/outputs.ts";
import type { OutputFile } from "../../contract/tools/call.ts";
import { type EmitOutputInput, emitOutputInput } from "../../contract/tools/emit-output.ts";
import { toCsv } from "../../lib/csv.ts";
import { cutNote, withNote } from "../../lib/cut-note.ts";
import { basisOf } from "./cuts.ts";
import { UNSAFE_FILE_NAME } from "./file-name.ts";
import { isText } from "./response-body.ts";
import {
  contentOfCall,
  failure,
  type Result,
  type SourceContent,
  success,
  toJson,
  toTable,
  toText,
} from "./source-content.ts";
import { storedBytes } from "./text.ts";
import { type NewOutput, type Tool, type ToolContext, type ToolResult, toolError } from "./tool.ts";

/**
 * A stored row holds 2 MB. An answer that fits can outgrow it as an output: indented JSON has a line for
 * each number, and records repeat the column names in each row.
 */
const MAX_VALUE_BYTES = 1024 * 1024;

/** Outputs a result for the user. */
export const emitOutput: Tool<EmitOutputInput> = {
  name: "emit_output",
  description:
    "Outputs a result for the user: a text, JSON, a table, a text file (CSV, JSON, Markdown), or a link. " +
    "Name in `from` the earlier call that has the value rather than writing it again. Not for workbooks (write_spreadsheet), nor for a short answer (finish). " +
    'Example: {"label": "Prices", "type": "table", "from": "call_2"}.',
  input: emitOutputInput,
  kind: "local",
  describe: ({ label }) => `Adding the output ${label}`,
  run: async (input, context) => run(input, context),
};

function run(input: EmitOutputInput, context: ToolContext): ToolResult {
  const named = [...(input.sources ?? []), ...(input.from ? [input.from] : [])];
  const unknown = named.find((callId) => context.answer(callId) === null);
  if (unknown) return { answer: toolError("unknown_call", `There is no earlier call ${unknown}.`) };
  const basedOn = input.type === "link" ? named : basisOf(named, context);
  const output = outputOf(input, context, cutNote(context.cutsOf(basedOn)));
  if (!output.ok) return { answer: toolError("invalid_output", output.message) };
  return {
    answer: { ok: true, content: summaryOf(output.value) },
    basedOn,
    outputs: [output.value],
  };
}

/** Returns the output of a call. `note` says that its sources were cut. */
function outputOf(
  input: EmitOutputInput,
  context: ToolContext,
  note: string | null,
): Result<NewOutput> {
  if (input.filename !== undefined && input.type !== "file") {
    return failure(`Only a file has a filename. Remove it from this ${input.type}.`);
  }
  if (input.type === "link") return linkOf(input);
  const source = sourceOf(input, context);
  if (!source.ok) return source;
  const content = contentOf(input, source.value, note);
  if (!content.ok) return content;
  const { value = null } = content.value;
  if (storedBytes(value) > MAX_VALUE_BYTES) {
    return failure(`The ${input.type} is larger than 1 MiB. Output less, or use another type.`);
  }
  const nodeType = input.nodeType ?? defaultNodeType(input.type, content.value, source.value);
  return success({ label: input.label, type: input.type, nodeType, ...content.value });
}

function linkOf(input: EmitOutputInput): Result<NewOutput> {
  if (input.value !== undefined || input.from !== undefined || input.url === undefined) {
    return failure("A link needs a url, and neither value nor from.");
  }
  const url = URL.parse(input.url);
  if (!url || !/^https?:$/.test(url.protocol)) {
    return failure("A link's url must be an absolute http or https address.");
  }
  const { label, nodeType = "LINK_EXTRACTION" } = input;
  return success({ label, type: "link", nodeType, mediaType: "text/uri-list", url: url.href });
}

type Content = Pick<NewOutput, "mediaType" | "value" | "filename" | "bytes">;

function contentOf(
  input: EmitOutputInput,
  material: SourceContent,
  note: string | null,
): Result<Content> {
  switch (input.type) {
    case "table":
      return withType("application/json", toTable(material));
    case "json":
      return withType(input.mediaType ?? "application/json", toJson(material));
    case "file":
      return createFile(input, material, note);
    default: {
      const { text, mediaType } = toText(material);
      return success({ mediaType: input.mediaType ?? (mediaType || "text/plain"), value: text });
    }
  }
}

function withType(mediaType: string, value: Result<Json>): Result<Content> {
  return value.ok ? success({ mediaType, value: value.value }) : value;
}

/** Returns the node type of an output that names none. */
function defaultNodeType(
  type: EmitOutputInput["type"],
  { mediaType }: Content,
  { from }: SourceContent,
): NodeType {
  if (type === "file") return mediaType.startsWith("text/csv") ? "SPREADSHEET" : "FILE";
  if (from === "code") return "CODE_RESULT";
  if (type === "table") return "TABLE_EXTRACTION";
  if (from === "page") return "WEB_PAGE";
  if (from === "response") return "HTTP_RESPONSE";
  if (from === "data") return "DATA_EXTRACTION";
  return type === "json" ? "STRUCTURED_RESULT" : "TEXT";
}

function summaryOf(output: NewOutput): Json {
  const { label, type, nodeType, mediaType, bytes } = output;
  const size = bytes ? { sizeBytes: bytes.byteLength } : {};
  return { label, type, nodeType, mediaType, ...size };
}

/** Returns the content of an output: the given value, or the answer of an earlier call. */
function sourceOf(input: EmitOutputInput, context: ToolContext): Result<SourceContent> {
  const { type, value, from } = input;
  if (input.url !== undefined)
    return failure(`Only a link has a url. Remove it from this ${type}.`);
  if (value !== undefined && from !== undefined)
    return failure("Give either value or from, not both.");
  if (from !== undefined) return contentOfCall(from, context);
  if (value === undefined) return failure(`A ${type} needs a value, or an earlier call in from.`);
  return success({ from: "value", value });
}

/** A stored row holds 2 MB; this leaves room for its other columns. */
const MAX_FILE_BYTES = 1024 * 1024;

/** The media types of files by their extensions. */
const TYPES: Record<string, string | undefined> = {
  csv: "text/csv",
  html: "text/html",
  json: "application/json",
  md: "text/markdown",
  txt: "text/plain",
  xml: "application/xml",
  yaml: "application/yaml",
};

/** Creates a text file: a table as CSV, a value as JSON, or the text itself, by media type. */
function createFile(
  input: EmitOutputInput,
  material: SourceContent,
  note: string | null,
): Result<OutputFile> {
  const { filename, label } = input;
  if (filename !== undefined && !isSafeFileName(filename)) return failure(UNSAFE_FILE_NAME);
  const mediaType = (input.mediaType ?? typeOf(filename, material)).toLowerCase();
  const essence = mediaType.split(";", 1)[0]?.trim() ?? mediaType;
  if (!isText(essence)) return failure(`Only text files can be created, not ${mediaType}.`);
  const text = fileText(essence, material);
  if (!text.ok) return text;
  const bytes = new TextEncoder().encode(withNote(text.value, essence, note));
  if (bytes.byteLength > MAX_FILE_BYTES)
    return failure("The file is larger than 1 MiB. Output less.");
  return success({ filename: filename ?? nameFor(label, essence), mediaType, bytes });
}

function fileText(mediaType: string, material: SourceContent): Result<string> {
  const isOwnText = "value" in material && typeof material.value === "string";
  if (isOwnText) return success(toText(material).text);
  if (mediaType === "text/csv" && toText(material).mediaType !== "text/csv") {
    const rows = toTable(material);
    return rows.ok ? success(toCsv(rows.value)) : rows;
  }
  if (mediaType === "application/json") {
    const json = toJson(material);
    return json.ok ? success(JSON.stringify(json.value, null, 2)) : json;
  }
  return success(toText(material).text);
}

function typeOf(filename: string | undefined, material: SourceContent): string {
  const extension = /\.([a-z0-9]+)$/i.exec(filename ?? "")?.[1]?.toLowerCase() ?? "";
  const fallback = material.from === "data" ? "text/csv" : toText(material).mediaType;
  return TYPES[extension] ?? (fallback || "text/plain");
}

function nameFor(label: string, mediaType: string): string {
  const words = label.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ["output"];
  const extension = Object.keys(TYPES).find((each) => TYPES[each] === mediaType) ?? "txt";
  return `${words.join("-").slice(0, 60)}.${extension}`;
}
