import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../src/contract/json.ts";
import { assertOutputSchema } from "../../../src/http/agent-settings.ts";
import { HttpProblem } from "../../../src/http/problem.ts";

/** Where the schema is at fault, or null. */
function faultIn(schema: JsonObject): string | null {
  try {
    assertOutputSchema(schema);
    return null;
  } catch (error) {
    if (!(error instanceof HttpProblem)) throw error;
    return error.errors?.[0]?.path ?? "";
  }
}

describe("assertOutputSchema", () => {
  it.each<[string, JsonObject]>([
    ["the empty schema", {}],
    ["unknown keywords", { "x-note": 1, description: "any", default: null }],
    [
      "an object of everything",
      {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        required: ["rows"],
        properties: {
          rows: { type: "array", items: { $ref: "#/$defs/row" }, minItems: 1 },
          kind: { enum: ["a", null, { $ref: "not a reference" }] },
          note: { const: { pattern: "(" } },
        },
        additionalProperties: false,
        $defs: {
          row: { $anchor: "row", type: ["object", "null"], properties: { next: { $ref: "#row" } } },
        },
      },
    ],
    ["a tree that refers to itself", { properties: { children: { items: { $ref: "#" } } } }],
    ["names with the signs of pointers", { $ref: "#/$defs/a~1b~0", $defs: { "a/b~": true } }],
  ])("accepts %s", (_, schema) => {
    expect(faultIn(schema)).toBeNull();
  });

  it.each<[string, JsonObject, string]>([
    ["an unknown type", { type: "text" }, "outputSchema.type"],
    ["properties that are no schemas", { properties: { a: 1 } }, "outputSchema.properties.a"],
    ["properties that are a list", { properties: [] }, "outputSchema.properties"],
    ["an empty anyOf", { anyOf: [] }, "outputSchema.anyOf"],
    ["a schema in a list", { anyOf: [{}, 1] }, "outputSchema.anyOf[1]"],
    ["a negative length", { minLength: -1 }, "outputSchema.minLength"],
    ["items as in older drafts", { items: [{}] }, "outputSchema.items"],
    [
      "another draft",
      { $schema: "http://json-schema.org/draft-07/schema#" },
      "outputSchema.$schema",
    ],
    ["a remote reference", { $ref: "https://example.com/x.json" }, "outputSchema.$ref"],
    ["a reference to nothing", { $ref: "#/$defs/a" }, "outputSchema.$ref"],
    ["a reference to what is no schema", { enum: [1], $ref: "#/enum/0" }, "outputSchema.$ref"],
    ["a pattern that looks ahead", { pattern: "^(?=a)" }, "outputSchema.pattern"],
    [
      "a pattern for names that refers back",
      { patternProperties: { "(a)\\1": {} } },
      "outputSchema.patternProperties.(a)\\1",
    ],
    ["a schema that is itself", { $ref: "#" }, "outputSchema"],
    [
      "schemas that are each other",
      { $defs: { a: { allOf: [{ $ref: "#/$defs/b" }] }, b: { not: { $ref: "#/$defs/a" } } } },
      "outputSchema",
    ],
  ])("refuses %s", (_, schema, path) => {
    expect(faultIn(schema)).toBe(path);
  });

  it("refuses references that double with every step", () => {
    const $defs: JsonObject = { d0: {} };
    for (let step = 1; step <= 40; step += 1) {
      const $ref = `#/$defs/d${step - 1}`;
      $defs[`d${step}`] = { allOf: [{ $ref }, { $ref }] };
    }
    expect(faultIn({ $defs, $ref: "#/$defs/d40" })).toBe("outputSchema");
  });

  it("refuses too long a chain of references", () => {
    const $defs: JsonObject = { d0: {} };
    for (let step = 1; step <= 8_000; step += 1) {
      $defs[`d${step}`] = { $ref: `#/$defs/d${step - 1}` };
    }
    expect(faultIn({ $ref: "#/$defs/d8000", $defs })).toBe("outputSchema");
  });
});
