import * as z from "zod";
import { flag, listOf, oneOf, open, timestamp } from "./fields.ts";
import { json } from "./json.ts";

/** The kind of work that produced an output. */
export const nodeType = oneOf(
  "WEB_PAGE",
  "DATA_EXTRACTION",
  "TABLE_EXTRACTION",
  "LINK_EXTRACTION",
  "HTTP_RESPONSE",
  "CODE_RESULT",
  "EMAIL",
  "SPREADSHEET",
  "FILE",
  "TEXT",
  "STRUCTURED_RESULT",
).meta({ id: "NodeType", description: "The kind of work that produced it." });
export type NodeType = z.infer<typeof nodeType>;

export const outputType = oneOf("text", "json", "table", "file", "link");

/** Rows under named columns; every row has a value for each column. */
export const table = open({
  columns: listOf(z.string()).describe("The names of the columns."),
  rows: listOf(listOf(json)).describe("The rows, each with a value for each column."),
}).meta({ id: "Table", description: "Rows under named columns." });
export type Table = z.infer<typeof table>;

/** The source of a value: an event of the execution's log and its address, if any. */
export const source = open({
  eventSeq: z.int().describe("The entry of the execution's log."),
  url: z.string().optional().describe("The address that was read."),
  cut: z.string().optional().describe("Where it was cut, such as `2 MiB`."),
}).meta({ id: "OutputSource", description: "What a value is based on." });
export type Source = z.infer<typeof source>;

/** What every output has. */
const fields = open({
  outputId: z.string().describe("The id of the output within its execution."),
  nodeType,
  label: z.string().describe("A title for people."),
  mediaType: z.string().describe("The media type of the value or the file."),
  sources: listOf(source).describe(
    "The tool results that the value is based on. If the model wrote the value and named no sources, only the call that produced it, without an address.",
  ),
  truncated: flag
    .optional()
    .describe("True if a part may be missing: the text, or one of the `sources`, was cut."),
  createdAt: timestamp.describe("When it was created."),
});

/** An output as executions store it, and as a model sees it. The address of a file is not stored. */
export const storedOutput = fields.extend({
  type: outputType.describe("`file` and `link` have a `url`, all other types a `value`."),
  value: json.optional().describe("The value; a table's is `{columns, rows}`."),
  url: z.string().optional().describe("A link's target, or where to download a file."),
  filename: z.string().optional().describe("The file's name."),
  sizeBytes: z.int().optional().describe("The file's size."),
});
export type StoredOutput = z.infer<typeof storedOutput>;

/** An output as the API shows it: its type says which other fields it has. */
export const output = z
  .discriminatedUnion("type", [
    fields.extend({
      type: z.literal("text").describe("A text."),
      value: z.string().describe("The text."),
    }),
    fields.extend({
      type: z.literal("json").describe("A value of any shape."),
      value: json.describe("The value."),
    }),
    fields.extend({ type: z.literal("table").describe("A table."), value: table }),
    fields.extend({
      type: z.literal("file").describe("A file."),
      url: z.string().describe("Where to download it, with the API key."),
      filename: z.string().optional().describe("The file's name."),
      sizeBytes: z.int().optional().describe("The file's size."),
    }),
    fields.extend({
      type: z.literal("link").describe("A link."),
      url: z.string().describe("The target of the link."),
    }),
  ])
  .meta({ id: "Output", description: "One result of an execution." });
export type Output = z.infer<typeof output>;
export type FileOutput = Extract<Output, { type: "file" }>;

/** Returns the value of an output, if it has one. */
export const valueIn = (shown: Output) => ("value" in shown ? shown.value : undefined);

/** Returns an output as the API shows it; `fileUrl` is where it can be downloaded if it is a file. */
export function shownOutput(stored: StoredOutput, fileUrl: string): Output {
  const { type, value = null, url = "", filename, sizeBytes, ...common } = stored;
  switch (type) {
    case "text":
      return { ...common, type, value: typeof value === "string" ? value : JSON.stringify(value) };
    case "table": {
      const { data } = table.safeParse(value);
      return data === undefined
        ? { ...common, type: "json", value }
        : { ...common, type, value: data };
    }
    case "file":
      return {
        ...common,
        type,
        url: fileUrl,
        ...(filename !== undefined && { filename }),
        ...(sizeBytes !== undefined && { sizeBytes }),
      };
    case "link":
      return { ...common, type, url };
    case "json":
      return { ...common, type, value };
  }
}
