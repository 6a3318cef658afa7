import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import * as z from "zod";
import { json, jsonObject } from "../../../../src/contract/json.ts";
import { schemaFault, validateJson } from "../../../../src/lib/json-schema/validate.ts";

const group = z.object({
  file: z.string(),
  description: z.string(),
  schema: z.union([z.boolean(), jsonObject]),
  tests: z.array(z.object({ description: z.string(), data: json, valid: z.boolean() })),
});
type Group = z.infer<typeof group>;

const packed = join(import.meta.dirname, "../../../support/json-schema-suite/draft2020-12.json.gz");
/** International formats are annotations here, and what a host name encodes is not looked at. */
const INTERNATIONAL = /format\/(?:idn-|iri)|A-label \(punycode\)/;
const GROUPS = z
  .array(group)
  .parse(JSON.parse(gunzipSync(readFileSync(packed)).toString()))
  .filter(({ file, description }) => !INTERNATIONAL.test(`${file} ${description}`));

/** A schema that only annotates formats, unless the test is about a format. */
const formatsOf = ({ file }: Group) =>
  file.startsWith("optional/format") ? ("assert" as const) : ("annotate" as const);

const schemaOf = ({ schema }: Group) =>
  typeof schema === "boolean" ? { allOf: [schema] } : schema;

/** Rare URIs that the library takes for valid or invalid ones. */
const URIS = [
  "uri-reference.json: validation of URI References: a double quote in a path",
  "uri-reference.json: validation of URI References: square brackets outside an authority",
  "uri-reference.json: validation of URI References: a non-numeric port in a network-path reference",
  "uri-reference.json: validation of URI References: more than one at-sign in the authority",
  "uri-reference.json: validation of URI References: a leading zero in the IPv4 part of an IPv6 literal",
  "uri-reference.json: validation of URI References: a colon in the first segment of a relative-path reference",
  "uri.json: validation of URIs: non-numeric port is invalid",
  "uri.json: validation of URIs: leading zero in an embedded IPv4 address is invalid",
  "uri.json: validation of URIs: square brackets are not allowed in a path segment",
];

it("passes the official suite of draft 2020-12, except remote schemas and $dynamicRef, which it refuses, international formats and rare URIs", () => {
  const failures: string[] = [];
  const refused: string[] = [];
  let passed = 0;
  for (const each of GROUPS) {
    const schema = schemaOf(each);
    const fault = schemaFault(schema);
    for (const { description, data, valid } of each.tests) {
      const name = `${each.file}: ${each.description}: ${description}`;
      if (fault !== null) refused.push(`${fault.rule} ${name}`);
      else {
        const { violations } = validateJson(schema, data, 1, { formats: formatsOf(each) });
        if ((violations.length === 0) === valid) passed += 1;
        else failures.push(name);
      }
    }
  }
  expect(failures).toEqual(URIS.map((name) => `optional/format/${name}`));
  expect(refused.filter((name) => !/^\$(?:ref|schema|dynamicRef) /.test(name))).toEqual([]);
  expect({ passed, refused: refused.length }).toEqual({ passed: 1_940, refused: 93 });
});
