import * as z from "zod";
import { closed, distinct, flag, listOf, oneOf, open, textUpTo } from "../fields.ts";
import { json } from "../json.ts";
import { inputName } from "../workflow.ts";

const shortText = z.string().max(1_000);

const writtenForm = oneOf("iso", "epoch_seconds", "epoch_ms", "date");
const readForm = oneOf("auto", ...writtenForm.options, "epoch_us", "epoch_ns");

/** One transform; the engine's table in `intake/mapping/transforms` has one function for each type. */
export const transform = z
  .discriminatedUnion("type", [
    closed({
      type: z.literal("timestamp").describe("Converts a time to another format."),
      from: readForm
        .default("auto")
        .describe(
          "The format of the time. `auto` reads ISO 8601 (also basic dates), RFC 2822 and the epoch, whose unit it tells by the size of the number. A leap second is read as the second before it.",
        ),
      to: writtenForm.default("iso").describe("The format to write."),
      timeZone: textUpTo(64)
        .optional()
        .describe("The IANA time zone of times without an offset and of the result. Default: UTC."),
    }),
    closed({
      type: z.literal("domain").describe("Extracts the domain of a URL or an e-mail address."),
      level: oneOf("registrable", "host")
        .default("registrable")
        .describe("The part of a URL: `example.co.uk`, or the host `shop.example.co.uk`."),
    }),
    closed({
      type: z.literal("unit").describe("Converts a number to another unit."),
      from: textUpTo(40).describe("A unit such as `lb`, or `minor` for money."),
      to: textUpTo(40).describe("A unit of the same kind, or `major` for money."),
      currency: z.string().length(3).optional().describe("The ISO 4217 code, for `minor`."),
    }),
    closed({ type: z.literal("number").describe("Converts text to a number.") }),
    closed({ type: z.literal("integer").describe("Converts text to a whole number.") }),
    closed({ type: z.literal("boolean").describe("Converts text or a number to true or false.") }),
    closed({ type: z.literal("string").describe("Converts the value to text.") }),
    closed({ type: z.literal("trim").describe("Removes white space around text.") }),
    closed({ type: z.literal("lower").describe("Converts text to lower case.") }),
    closed({ type: z.literal("upper").describe("Converts text to upper case.") }),
    closed({
      type: z.literal("replace").describe("Replaces part of a text."),
      search: textUpTo(500).describe("The text or pattern to replace everywhere."),
      with: shortText.default("").describe("The replacement."),
      pattern: flag
        .default(false)
        .describe(
          "Whether `search` is a regular expression instead of plain text: JavaScript's syntax with the flag `u`, without look-around and back-references.",
        ),
    }),
    closed({
      type: z.literal("split").describe("Splits text into a list."),
      separator: textUpTo(100).default(",").describe("The text between the parts."),
    }),
    closed({
      type: z.literal("join").describe("Joins a list into text."),
      separator: z.string().max(100).default(",").describe("The text between the parts."),
    }),
    closed({ type: z.literal("first").describe("Takes the first item of a list.") }),
    closed({ type: z.literal("last").describe("Takes the last item of a list.") }),
    closed({ type: z.literal("length").describe("Returns the length of a list or a text.") }),
    closed({
      type: z.literal("json").describe("Parses JSON text, and serializes any other value as JSON."),
    }),
    closed({
      type: z.literal("template").describe("Inserts values into a text."),
      template: textUpTo(5_000).describe("`{{value}}` is the value, `{{path}}` the payload's."),
    }),
    closed({
      type: z.literal("jsonata").describe("Evaluates a JSONata expression."),
      expression: textUpTo(5_000).describe("`$` is the value, `$payload` the payload."),
    }),
  ])
  .meta({
    id: "TransformDraft",
    outputId: "Transform",
    description: "A transformation of the value. If it fails, the request is rejected with 422.",
  });
export type Transform = z.infer<typeof transform>;

const to = inputName.describe("The name of the workflow's input.");
const FROM =
  "A path in the payload; `$` is the whole payload. With `in`, the name of a header or a query parameter. Null to use only the default, or transforms that read the whole payload.";
const source = oneOf("body", "header", "query")
  .optional()
  .describe("What `from` reads: `body` (default), which is the payload, `header` or `query`.");
const TRANSFORMS = "The transformations of the value, in order.";
const filler = json.optional().describe("The value of a missing field. It is not transformed.");

const mappedField = open({
  to,
  in: source,
  from: z.string().nullable().describe(FROM),
  transforms: listOf(transform).describe(TRANSFORMS),
  default: filler,
}).meta({ id: "MappedField" });
export type MappedField = z.infer<typeof mappedField>;

const auto = z.boolean().describe("Whether inputs without a field are looked up by name.");
const emptyIsAbsent = flag
  .optional()
  .describe("Whether a default replaces an empty text. If left out, in forms and queries only.");
const FIELDS = "The inputs that are read from a path in the payload.";

/** The stored mapping of payloads to a workflow's inputs. */
export const mapping = open({
  auto,
  emptyIsAbsent,
  fields: listOf(mappedField).describe(FIELDS),
}).meta({ id: "Mapping" });
export type Mapping = z.infer<typeof mapping>;

const newField = closed({
  to,
  in: source,
  from: textUpTo(500).nullable().default(null).describe(FROM),
  transforms: listOf(transform, 20).default([]).describe(TRANSFORMS),
  default: filler,
}).meta({ id: "MappedFieldDraft" });

/** `mapping` in a body. */
export const mappingBody = closed({
  auto: auto.default(true),
  emptyIsAbsent,
  fields: distinct(listOf(newField, 200), "an input", ({ to: name }) => name)
    .default([])
    .describe(FIELDS),
}).meta({ id: "MappingDraft", description: "How payloads map to the workflow's inputs." });
