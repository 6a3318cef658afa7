import * as z from "zod";
import { closed } from "../fields.ts";
import { json } from "../json.ts";
import { inputName } from "../workflow.ts";

const shortText = z.string().max(1_000);

const timestampForm = z.enum(["auto", "iso", "epoch_seconds", "epoch_ms", "date"]);

/** One transform; the engine's table in `inbound/mapping/transforms` has one function for each type. */
export const transform = z
  .discriminatedUnion("type", [
    closed({
      type: z.literal("timestamp").describe("Formats a time."),
      from: timestampForm.default("auto").describe("How the time is written."),
      to: timestampForm.exclude(["auto"]).default("iso").describe("How it is to be written."),
      timeZone: z
        .string()
        .min(1)
        .max(64)
        .optional()
        .describe("An IANA time zone, for times without an offset and for the written date."),
    }),
    closed({
      type: z.literal("domain").describe("The domain of a URL or an e-mail address."),
      level: z
        .enum(["registrable", "host"])
        .default("registrable")
        .describe(
          "The part to extract from a URL: `example.co.uk` or the whole host of `https://shop.example.co.uk`.",
        ),
    }),
    closed({
      type: z.literal("unit").describe("A number in another unit."),
      from: z.string().min(1).max(40).describe("A unit such as `lb`, or `minor` for money."),
      to: z.string().min(1).max(40).describe("A unit of the same kind, or `major` for money."),
      currency: z.string().length(3).optional().describe("ISO 4217, for `minor` and `major`."),
    }),
    closed({ type: z.literal("number").describe("A number, from text.") }),
    closed({ type: z.literal("integer").describe("A whole number, from text.") }),
    closed({ type: z.literal("boolean").describe("A truth value, from text or a number.") }),
    closed({ type: z.literal("string").describe("Text.") }),
    closed({ type: z.literal("trim").describe("Text without space around it.") }),
    closed({ type: z.literal("lower").describe("Text in lower case.") }),
    closed({ type: z.literal("upper").describe("Text in upper case.") }),
    closed({
      type: z.literal("replace").describe("Text with something replaced."),
      search: z.string().min(1).max(500).describe("The text or pattern to replace everywhere."),
      with: shortText.default("").describe("What it is replaced by."),
      pattern: z
        .boolean()
        .default(false)
        .describe("Whether `search` is a pattern (RE2) instead of plain text."),
    }),
    closed({
      type: z.literal("split").describe("Text as a list."),
      separator: z.string().min(1).max(100).default(",").describe("What stands between the parts."),
    }),
    closed({
      type: z.literal("join").describe("A list as text."),
      separator: z.string().max(100).default(",").describe("What comes between the parts."),
    }),
    closed({ type: z.literal("first").describe("The first of a list.") }),
    closed({ type: z.literal("last").describe("The last of a list.") }),
    closed({ type: z.literal("length").describe("How long a list or a text is.") }),
    closed({
      type: z.literal("json").describe("Parses JSON text, and serializes any other value as JSON."),
    }),
    closed({
      type: z.literal("template").describe("Inserts values into a text."),
      template: z
        .string()
        .min(1)
        .max(5_000)
        .describe("`{{value}}` is the value so far, `{{path.of.payload}}` reads the payload."),
    }),
    closed({
      type: z.literal("jsonata").describe("The value of a JSONata expression."),
      expression: z
        .string()
        .min(1)
        .max(5_000)
        .describe("`$` is the value so far; `$payload` is the whole payload."),
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
  "A path in the payload. Null if there is only a default, or if the transforms read the whole payload.";
const TRANSFORMS = "The transformations of the value, in order.";
const filler = json.optional().describe("The value of a missing field, which is not transformed.");

const mappedField = z
  .object({
    to,
    from: z.string().nullable().describe(FROM),
    transforms: z.array(transform).describe(TRANSFORMS),
    default: filler,
  })
  .meta({ id: "MappedField" });
export type MappedField = z.infer<typeof mappedField>;

const auto = z
  .boolean()
  .describe("Whether to find inputs without a field in the payload by their names, at any depth.");
const FIELDS = "Inputs that are read from a path in the payload.";

/** How a payload becomes a workflow's inputs, as it is stored. */
export const mapping = z
  .object({ auto, fields: z.array(mappedField).describe(FIELDS) })
  .meta({ id: "Mapping" });
export type Mapping = z.infer<typeof mapping>;

/** `mapping` in a body. */
export const mappingBody = closed({
  auto: auto.default(true),
  fields: z
    .array(
      closed({
        to,
        from: z.string().min(1).max(500).nullable().default(null).describe(FROM),
        transforms: z.array(transform).max(20).default([]).describe(TRANSFORMS),
        default: filler,
      }).meta({ id: "MappedFieldDraft" }),
    )
    .max(200)
    .refine(
      (fields) => new Set(fields.map(({ to }) => to)).size === fields.length,
      "must not map an input twice",
    )
    .default([])
    .describe(FIELDS),
}).meta({ id: "MappingDraft", description: "How payloads map to the workflow's inputs." });
