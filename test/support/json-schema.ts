import { dereference, initialBaseURI, type Schema, validate } from "@cfworker/json-schema";
import { expect } from "vitest";
import * as z from "zod";

const documentSchemas = z.object({ schemas: z.record(z.string(), z.unknown()) });

/**
 * Checks values against the schemas of an API document, by a validator that has no part in making
 * them. It is stricter than the document, which leaves room for fields to come: what it does not
 * name is refused.
 */
export function checkerOf(components: unknown) {
  const { schemas } = documentSchemas.parse(components);
  const known = dereference(schemaOf(closed({ components: { schemas } })));
  let count = 0;
  return function check(value: unknown, schema: unknown, what: string): void {
    const own = schemaOf(closed(schema));
    count += 1;
    dereference(own, known, initialBaseURI, `/checks/${count}`);
    const { valid, errors } = validate(value, own, "2020-12", known, false);
    expect(valid ? [] : errors, what).toEqual([]);
  };
}

function schemaOf(json: unknown): Schema {
  return z.record(z.string(), z.unknown()).parse(json);
}

/** The schema with every object that names its fields closed to others. */
function closed(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(closed);
  if (typeof node !== "object" || node === null) return node;
  const entries = Object.entries(node).map(([key, value]) => [key, closed(value)]);
  // A rule between fields names some of them, and no type.
  const names = "properties" in node && "type" in node && !("additionalProperties" in node);
  return Object.fromEntries(names ? [...entries, ["additionalProperties", false]] : entries);
}
