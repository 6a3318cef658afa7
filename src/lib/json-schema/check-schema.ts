import * as z from "zod";
import { isObject, type Json, type JsonObject } from "../json-values.ts";
import { patternFault } from "../pattern/linear-pattern.ts";
import { violationsOf } from "../zod-messages.ts";
import { type Keyword, names, SCHEMA, SCHEMA_LIST, SCHEMA_MAP, SchemaFault } from "./keyword.ts";
import { APPLICATOR_KEYWORDS, UNEVALUATED_KEYWORDS } from "./keywords/applicators.ts";
import { ARRAY_KEYWORDS, OBJECT_KEYWORDS } from "./keywords/parts.ts";
import { VALUE_KEYWORDS } from "./keywords/values.ts";
import { References } from "./references.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";

/** Keywords that name schemas, refer to them and keep them. */
const CORE_KEYWORDS: Record<string, Keyword> = {
  $schema: { type: z.enum([DIALECT, `${DIALECT}#`]) },
  $id: { type: z.string().regex(/^[^#]*#?$/, "must be a URI without a fragment") },
  $ref: { type: z.string() },
  $dynamicRef: { type: z.string() },
  $anchor: { type: z.string() },
  $dynamicAnchor: { type: z.string() },
  $defs: { type: SCHEMA_MAP },
  // The name of $defs before 2019-09, still reserved for it.
  definitions: { type: SCHEMA_MAP },
};

/**
 * The keywords of JSON Schema 2020-12 in the order of their rules; unknown ones are annotations.
 * `unevaluated…` comes last: it applies to what no other keyword has evaluated.
 */
export const KEYWORDS: ReadonlyMap<string, Keyword> = new Map(
  Object.entries({
    ...CORE_KEYWORDS,
    ...VALUE_KEYWORDS,
    ...ARRAY_KEYWORDS,
    ...OBJECT_KEYWORDS,
    ...APPLICATOR_KEYWORDS,
    ...UNEVALUATED_KEYWORDS,
  }),
);

/** Keywords that refer to another schema. */
export const REFERENCES = ["$ref", "$dynamicRef"] as const;

/** The schemas of a document with their places, and how they refer to each other. */
export interface CheckedSchemas {
  references: References;
  found: { schema: JsonObject; path: string }[];
}

/**
 * Returns the schemas of a document of bounded depth. Throws a `SchemaFault` for keyword values of the wrong
 * type, references that leave the document, and patterns that cannot run in linear time.
 */
export function checkedSchemas(schema: JsonObject): CheckedSchemas {
  const all: CheckedSchemas = { references: new References(), found: [] };
  checkSchema(schema, "", undefined, all);
  // Grows while it is walked through: the target of a reference is a schema, also where no keyword says so.
  for (const { schema: from, path } of all.found) {
    for (const keyword of REFERENCES) {
      const reference = from[keyword];
      if (typeof reference === "string") checkReference(from, reference, `${path}.${keyword}`, all);
    }
  }
  return all;
}

function checkReference(from: JsonObject, reference: string, path: string, all: CheckedSchemas) {
  const { references } = all;
  const target = references.resolve(from, reference);
  if (typeof target === "boolean") return;
  if (!isObject(target)) {
    const message = `points to nothing in this schema: ${reference}. Remote schemas are not fetched; put a copy into $defs`;
    throw new SchemaFault(path, path.slice(path.lastIndexOf(".") + 1), message);
  }
  if (!references.knows(target)) checkSchema(target, "", references.baseOf(from), all);
}

/** Checks a schema with its subschemas and adds them to `all`. */
function checkSchema(schema: Json, path: string, base: string | undefined, all: CheckedSchemas) {
  if (typeof schema === "boolean") return;
  if (!isObject(schema)) {
    throw new SchemaFault(path, "schema", "must be a schema: an object, true or false");
  }
  const own = all.references.add(schema, base);
  all.found.push({ schema, path });
  for (const [keyword, value] of Object.entries(schema)) {
    checkKeyword(keyword, value, `${path}.${keyword}`, own, all);
  }
}

function checkKeyword(
  keyword: string,
  value: Json,
  path: string,
  base: string,
  all: CheckedSchemas,
): void {
  const type = KEYWORDS.get(keyword)?.type;
  const [wrong] = violationsOf(type?.safeParse(value).error?.issues ?? []);
  if (wrong) {
    const holdsSchemas = type === SCHEMA_LIST || type === SCHEMA_MAP;
    throw new SchemaFault(path, holdsSchemas ? "schema" : keyword, wrong.message);
  }
  if (keyword === "pattern") checkPattern(String(value), path);
  if (type === SCHEMA) checkSchema(value, path, base, all);
  if (type !== SCHEMA_LIST && type !== SCHEMA_MAP) return;
  for (const [name, schema] of Object.entries(value ?? {})) {
    const place = type === SCHEMA_LIST ? `${path}[${name}]` : `${path}.${name}`;
    if (keyword === "patternProperties") checkPattern(name, place);
    if (keyword === "dependencies" && names.safeParse(schema).success) continue;
    checkSchema(schema, place, base, all);
  }
}

function checkPattern(pattern: string, path: string): void {
  const fault = patternFault(pattern);
  if (fault !== null) throw new SchemaFault(path, "pattern", fault);
}
