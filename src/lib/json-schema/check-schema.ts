import { isObject, type Json, type JsonObject } from "../json-values.ts";
import { patternFault } from "../pattern/linear-pattern.ts";
import { names, SCHEMA, SCHEMA_LIST, SCHEMA_MAP, SchemaFault } from "./keyword.ts";
import { KEYWORDS } from "./keywords.ts";
import { References } from "./references.ts";

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
function checkSchema(
  schema: Json,
  path: string,
  base: string | undefined,
  all: CheckedSchemas,
): void {
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
  const wrong = type?.safeParse(value).error?.issues[0];
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
