import * as z from "zod";
import { closed, flag, listOf, oneOf, open, textUpTo, whole } from "../fields.ts";
import { jsonObject } from "../json.ts";

export const DEFAULT_MAX_BYTES = 1_048_576;
export const MAX_MAX_BYTES = 10 * 1_048_576;

/** The types that `validation.types` can require. */
export const payloadType = oneOf(
  "string",
  "number",
  "integer",
  "boolean",
  "object",
  "array",
  "null",
  "timestamp",
);
export type PayloadType = z.infer<typeof payloadType>;

const REQUIRED = "Required paths in dot notation, such as `order.items[0].sku`.";
const TYPES = "The types of values by path. A path may be missing unless it is required.";
const SCHEMA =
  "A JSON Schema (2020-12) that payloads must match, or null. References stay within it; remote schemas are not fetched.";
const formats = oneOf("assert", "annotate")
  .optional()
  .describe("Whether `format` of the schema is a rule: `assert`, the default, or `annotate`.");
const files = flag
  .optional()
  .describe(
    "Whether a body of any other media type, such as an image or a PDF, is accepted too: as a file of the execution. Its payload is `{file: {mediaType, size}}`.",
  );
const MAX_BYTES = "The maximum size of a body, in bytes.";

/** The rules for payloads, as stored and shown. */
export const validationRules = open({
  required: listOf(z.string()).describe(REQUIRED),
  types: z.record(z.string(), payloadType).describe(TYPES),
  schema: jsonObject.nullable().describe(SCHEMA),
  formats,
  files,
  maxBytes: z.int().describe(MAX_BYTES),
}).meta({ id: "Validation" });
export type ValidationRules = z.infer<typeof validationRules>;

const BODY = {
  required: listOf(textUpTo(500), 200).default([]).describe(REQUIRED),
  types: z.record(textUpTo(500), payloadType).default({}).describe(TYPES),
  schema: jsonObject.nullable().default(null).describe(SCHEMA),
  formats,
};

/** The rules of a route, which may not be about the size and the type: they are checked before the payload is parsed. */
export const routeRules = validationRules
  .omit({ maxBytes: true, files: true })
  .meta({ id: "RouteValidation" });
export const routeRulesBody = closed(BODY).meta({
  id: "RouteValidationDraft",
  description: "The rules for payloads of a route.",
});

/** `validation` in a body. */
export const validationBody = closed({
  ...BODY,
  files,
  maxBytes: whole(1, MAX_MAX_BYTES).default(DEFAULT_MAX_BYTES).describe(MAX_BYTES),
}).meta({ id: "ValidationDraft", description: "The rules for payloads." });
