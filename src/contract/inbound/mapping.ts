import * as z from "zod";
import { closed } from "../closed.ts";
import { json } from "../json.ts";
import { inputName } from "../workflow.ts";

const shortText = z.string().max(1_000);

const timestampForm = z.enum(["auto", "iso", "epoch_seconds", "epoch_ms", "date"]);

/** One transform; the engine's table in `inbound/mapping/transforms` has one function for each type. */
export const transform = z.discriminatedUnion("type", [
  closed({
    type: z.literal("timestamp"),
    from: timestampForm.default("auto"),
    to: timestampForm.exclude(["auto"]).default("iso"),
    /** An IANA name: of a time that carries no offset, and of the date that is written. */
    timeZone: z.string().min(1).max(64).optional(),
  }),
  closed({
    type: z.literal("domain"),
    level: z.enum(["registrable", "host"]).default("registrable"),
  }),
  closed({
    type: z.literal("unit"),
    from: z.string().min(1).max(40),
    to: z.string().min(1).max(40),
    /** ISO 4217, for `minor` and `major`. */
    currency: z.string().length(3).optional(),
  }),
  closed({ type: z.literal("number") }),
  closed({ type: z.literal("integer") }),
  closed({ type: z.literal("boolean") }),
  closed({ type: z.literal("string") }),
  closed({ type: z.literal("trim") }),
  closed({ type: z.literal("lower") }),
  closed({ type: z.literal("upper") }),
  closed({
    type: z.literal("replace"),
    search: z.string().min(1).max(500),
    with: shortText.default(""),
    /** Whether `search` is a pattern; else it is plain text. All occurrences are replaced. */
    pattern: z.boolean().default(false),
  }),
  closed({ type: z.literal("split"), separator: z.string().min(1).max(100).default(",") }),
  closed({ type: z.literal("join"), separator: z.string().max(100).default(",") }),
  closed({ type: z.literal("first") }),
  closed({ type: z.literal("last") }),
  closed({ type: z.literal("length") }),
  /** Text, which must be JSON, becomes its value; any other value becomes its JSON text. */
  closed({ type: z.literal("json") }),
  /** `{{value}}` is the value so far, `{{path.of.payload}}` reads the payload. */
  closed({ type: z.literal("template"), template: z.string().min(1).max(5_000) }),
  /** `$` is the value so far; `$payload` is the whole payload. */
  closed({ type: z.literal("jsonata"), expression: z.string().min(1).max(5_000) }),
]);
export type Transform = z.infer<typeof transform>;

const path = z.string().min(1).max(500);

export const mappedField = z.object({
  to: inputName,
  /** Null for a field that only has a default, or whose transforms start from the whole payload. */
  from: z.string().nullable(),
  transforms: z.array(transform),
  /** Undefined for none. Fills a field that is absent, and is not transformed. */
  default: json.optional(),
});
export type MappedField = z.infer<typeof mappedField>;

/** How a payload becomes a workflow's inputs, as it is stored. */
export const mapping = z.object({ auto: z.boolean(), fields: z.array(mappedField) });
export type Mapping = z.infer<typeof mapping>;

/** `mapping` in a body. */
export const mappingBody = closed({
  auto: z.boolean().default(true),
  fields: z
    .array(
      closed({
        to: inputName,
        from: path.nullable().default(null),
        transforms: z.array(transform).max(20).default([]),
        default: json.optional(),
      }),
    )
    .max(200)
    .refine(
      (fields) => new Set(fields.map(({ to }) => to)).size === fields.length,
      "maps an input twice",
    )
    .default([]),
});
