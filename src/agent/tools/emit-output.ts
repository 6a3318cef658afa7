import type { Json } from "../../contract/json.ts";
import type { NodeType } from "../../contract/outputs.ts";
import type { OutputFile } from "../../contract/tools/call.ts";
import { type EmitOutputInput, emitOutputInput } from "../../contract/tools/write.ts";
import { toCsv } from "../../lib/csv.ts";
import { cutNote, withNote } from "../../lib/text.ts";
import { basisOf } from "./cuts.ts";
import { checkFileName } from "./file-name.ts";
import { isText } from "./response-body.ts";
import {
  contentOfCall,
  requireCalls,
  type SourceContent,
  toJson,
  toTable,
  toText,
} from "./source-content.ts";
import { storedBytes } from "./text.ts";
import {
  answering,
  fail,
  type NewOutput,
  type Tool,
  type ToolContext,
  type ToolResult,
} from "./tool.ts";

/**
 * The most bytes of an output; a stored row holds 2 MB. An answer that fits can outgrow it as an output:
 * indented JSON has a line for each number, and records repeat the column names in each row.
 */
const MAX_BYTES = 1024 * 1024;

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
  run: answering("invalid_output", run),
};

async function run(input: EmitOutputInput, context: ToolContext): Promise<ToolResult> {
  const named = [...(input.sources ?? []), ...(input.from ? [input.from] : [])];
  requireCalls(named, context);
  const basedOn = input.type === "link" ? named : basisOf(named, context);
  const output = outputOf(input, context, cutNote(context.cutsOf(basedOn)));
  return { answer: { ok: true, content: summaryOf(output) }, basedOn, outputs: [output] };
}

/** Returns the output of a call. `note` says that its sources were cut. */
function outputOf(input: EmitOutputInput, context: ToolContext, note: string | null): NewOutput {
  if (input.filename !== undefined && input.type !== "file") {
    fail(`Only a file has a filename. Remove it from this ${input.type}.`);
  }
  if (input.type === "link") return linkOf(input);
  const source = sourceOf(input, context);
  const content = contentOf(input, source, note);
  const { value = null } = content;
  if (storedBytes(value) > MAX_BYTES) {
    fail(`The ${input.type} is larger than 1 MiB. Output less, or use another type.`);
  }
  const nodeType = input.nodeType ?? defaultNodeType(input.type, content, source);
  return { label: input.label, type: input.type, nodeType, ...content };
}

function linkOf(input: EmitOutputInput): NewOutput {
  if (input.value !== undefined || input.from !== undefined || input.url === undefined) {
    return fail("A link needs a url, and neither value nor from.");
  }
  const url = URL.parse(input.url);
  if (!url || !/^https?:$/.test(url.protocol)) {
    return fail("A link's url must be an absolute http or https address.");
  }
  const { label, nodeType = "LINK_EXTRACTION" } = input;
  return { label, type: "link", nodeType, mediaType: "text/uri-list", url: url.href };
}

type Content = Pick<NewOutput, "mediaType" | "value" | "filename" | "bytes">;

function contentOf(input: EmitOutputInput, material: SourceContent, note: string | null): Content {
  switch (input.type) {
    case "table":
      return { mediaType: "application/json", value: toTable(material) };
    case "json":
      return { mediaType: input.mediaType ?? "application/json", value: toJson(material) };
    case "file":
      return createFile(input, material, note);
    default: {
      const { text, mediaType } = toText(material);
      return { mediaType: input.mediaType ?? (mediaType || "text/plain"), value: text };
    }
  }
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
function sourceOf(input: EmitOutputInput, context: ToolContext): SourceContent {
  const { type, value, from } = input;
  if (input.url !== undefined) fail(`Only a link has a url. Remove it from this ${type}.`);
  if (from === undefined) {
    if (value !== undefined) return { from: "value", value };
    return fail(`A ${type} needs a value, or an earlier call in from.`);
  }
  if (value !== undefined) fail("Give either value or from, not both.");
  return contentOfCall(from, context);
}

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
): OutputFile {
  const { filename, label } = input;
  if (filename !== undefined) checkFileName(filename);
  const mediaType = (input.mediaType ?? typeOf(filename, material)).toLowerCase();
  const essence = mediaType.split(";", 1)[0]?.trim() ?? mediaType;
  if (!isText(essence)) fail(`Only text files can be created, not ${mediaType}.`);
  const bytes = new TextEncoder().encode(withNote(fileText(essence, material), essence, note));
  if (bytes.byteLength > MAX_BYTES) fail("The file is larger than 1 MiB. Output less.");
  return { filename: filename ?? nameFor(label, essence), mediaType, bytes };
}

function fileText(mediaType: string, material: SourceContent): string {
  const { text, mediaType: own } = toText(material);
  if ("value" in material && typeof material.value === "string") return text;
  if (mediaType === "text/csv" && own !== "text/csv") return toCsv(toTable(material));
  return mediaType === "application/json" ? JSON.stringify(toJson(material), null, 2) : text;
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
