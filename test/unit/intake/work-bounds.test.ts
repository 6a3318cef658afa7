import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { json } from "../../../src/contract/json.ts";
import type { EndpointConfig } from "../../../src/contract/webhooks/endpoint.ts";
import { transform } from "../../../src/contract/webhooks/mapping.ts";
import type { Condition } from "../../../src/contract/webhooks/routing.ts";
import type { Check, Findings } from "../../../src/intake/checks/check.ts";
import { mapping, parse, routing, validation } from "../../../src/intake/checks/payload.ts";
import { configWith, routeWith, workflowWith } from "../../support/endpoint.ts";
import { endpointWith, requestWith } from "../../support/hook-request.ts";
import { verdictOf } from "./checks/support.ts";

const MAX_MS = 100;
const MAX_BYTES = 10_485_760;
const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";
const MULTIPART_TYPE = "multipart/form-data; boundary=b";

interface Sent {
  type: string;
  body: string;
}

const inputs = Array.from({ length: 20 }, (_, at) => ({
  name: `order id ${at}`,
  type: "integer" as const,
  required: false,
  default: null,
  description: "",
}));
const workflow = workflowWith({ inputs });

/** The processor time of this thread that `work` takes, in milliseconds. */
async function costOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}

const REFERENCE = '[1, 2.5, "three"],'.repeat(400_000);
/** What hashing that takes on the machine that the limit is stated for, in milliseconds. */
const REFERENCE_MS = 32;

/** The limit on this machine as it is now: a slower or busier one gets as much more time. */
async function limitHere(): Promise<number> {
  const cost = await costOf(() => {
    let hash = 0;
    for (let at = 0; at < REFERENCE.length; at += 1)
      hash = (hash * 31 + REFERENCE.charCodeAt(at)) | 0;
    return hash;
  });
  return MAX_MS * Math.max(1, cost / REFERENCE_MS);
}

/** Measures each check of the payload, the quickest of five: what else the machine does is no cost of it. */
async function expectBounded(sent: Sent, rules: Partial<EndpointConfig>) {
  const limits = { ...configWith().validation, ...rules.validation, maxBytes: MAX_BYTES };
  const endpoint = endpointWith({ workflow, ...rules, validation: limits });
  const request = requestWith({ headers: { "Content-Type": sent.type }, body: sent.body });
  let found: Partial<Findings> = {};
  for (const check of [parse, validation, routing, mapping] satisfies Check[]) {
    let [best, tries] = [Number.POSITIVE_INFINITY, 0];
    while (best > 1 && tries < 5) {
      tries += 1;
      const limit = best < Number.POSITIVE_INFINITY ? await limitHere() : MAX_MS;
      const cost = await costOf(() => verdictOf(check, endpoint, request, found));
      best = Math.min(best, cost / limit);
    }
    expect(best, `${check.stage}, as a share of the limit`).toBeLessThanOrEqual(1);
    const verdict = await verdictOf(check, endpoint, request, found);
    if (verdict.kind === "refused") return;
    if (verdict.kind === "passed") found = { ...found, ...verdict.found };
  }
}

/** Repeats a text, with its place for each `#`, up to a number of times or bytes. */
function repeated(unit: string, separator: string, count: number, bytes = MAX_BYTES - 1_000) {
  const pieces: string[] = [];
  for (let at = 0, size = 0; at < count; at += 1) {
    const piece = unit.replaceAll("#", String(at));
    size += piece.length + separator.length;
    if (size > bytes) break;
    pieces.push(piece);
  }
  return pieces.join(separator);
}

const part = '--b\r\nContent-Disposition: form-data; name="k#"\r\n\r\n1';
const multipart = (parts: string): Sent => ({
  type: MULTIPART_TYPE,
  body: `${parts}\r\n--b--\r\n`,
});
const list = (unit: string, count = 1e7): Sent => ({
  type: JSON_TYPE,
  body: `[${repeated(unit, ",", count)}]`,
});
const members = (unit: string, count = 1e7): Sent => ({
  type: JSON_TYPE,
  body: `{${repeated(unit, ",", count)}}`,
});
const form = (unit: string, separator = "&"): Sent => ({
  type: FORM_TYPE,
  body: repeated(unit, separator, 1e7),
});
const schema = (of: NonNullable<EndpointConfig["validation"]["schema"]>) => ({
  validation: { ...configWith().validation, schema: of },
});
const transforms = (...settings: object[]) => ({
  mapping: {
    auto: false,
    fields: Array.from({ length: 40 }, (_, at) => ({
      to: `x${at}`,
      from: "a",
      transforms: settings.map((setting) => transform.parse(setting)),
    })),
  },
});
/** As many routes as an endpoint may have, each with this condition and as many of these fields. */
const routes = (when: Condition | null, ...settings: object[]) => ({
  workflow: null,
  routing: {
    routes: Array.from({ length: 20 }, (_, at) =>
      routeWith({ name: `route ${at}`, when, workflow, ...transforms(...settings) }),
    ),
  },
});
const text = (unit: string, count = 1e7): Sent => ({
  type: JSON_TYPE,
  body: JSON.stringify({ a: repeated(unit, "", count) }),
});

describe("each check of a request takes at most 100 ms of computing, whatever a stranger sends:", () => {
  it.each<[string, Sent, Partial<EndpointConfig>]>([
    ["600,000 names", members('"k#":1', 600_000), {}],
    ["as many long names as are read", members(`"${"k_".repeat(100)}#":1`, 39_000), {}],
    ["as many long numbers as are read", list("1".repeat(49), 59_000), {}],
    ["long numbers under names", members('"k#":12345678901234567', 39_000), {}],
    ["empty objects", list("{}"), {}],
    ["deep nesting", list(`${"[".repeat(60)}${"]".repeat(60)}`), {}],
    ["escapes", text('"'), {}],
    ["white space", { type: JSON_TYPE, body: `[1${" ".repeat(MAX_BYTES - 10)}]` }, {}],
    ["900,000 form fields", form("k#=1"), {}],
    ["separators of a form", form("&", ""), {}],
    ["pluses", form(`k=${"+".repeat(1_000)}`), {}],
    ["190,000 parts", multipart(repeated(part, "\r\n", 190_000)), {}],
    ["header lines of a part", multipart(`--b\r\n${repeated("A: b\r\n", "", 1e6)}${part}`), {}],
    ["multiples", list("1e308", 59_000), schema({ items: { multipleOf: 5e-324 } })],
    [
      "alternatives",
      list('{"a":1}', 39_000),
      schema({ items: { oneOf: Array.from({ length: 30 }, (_, n) => ({ const: n })) } }),
    ],
    [
      "counts of members",
      members('"k#":1', 39_000),
      schema({ allOf: Array.from({ length: 200 }, () => ({ minProperties: 1 })) }),
    ],
    [
      "a long name that a schema compares",
      members(`"${"x".repeat(5_000_000)}":1`, 1),
      schema({ allOf: Array.from({ length: 200 }, () => ({ not: { const: { a: 1 } } })) }),
    ],
    ["unique items", list(`"${"x".repeat(100)}#"`, 59_000), schema({ uniqueItems: true })],
    ["patterns", list(`"${"ab".repeat(60)}"`, 59_000), schema({ items: { pattern: "(a|ab)*c$" } })],
    ["parts of a text", text(","), transforms({ type: "split", separator: "," })],
    [
      "patterns in a mapping",
      text("ab ", 100_000),
      transforms({ type: "replace", search: "(a|b)+c", with: "", pattern: true }),
    ],
    ["a text changed often", text("ab "), transforms({ type: "lower" }, { type: "upper" })],
    [
      "JSON within JSON",
      text('{"k":1}', 1),
      transforms({ type: "json" }, { type: "string" }, { type: "json" }),
    ],
    [
      "patterns of routes",
      text("ab ", 100_000),
      routes({
        all: Array.from({ length: 50 }, () => ({ not: { path: "a", matches: "(a|b)*c$" } })),
      }),
    ],
    [
      "values that routes compare",
      list("[1]", 59_000),
      routes({ path: "$", oneOf: Array.from({ length: 200 }, (_, n) => [n]) }),
    ],
    [
      "a long name that routes compare",
      { type: FORM_TYPE, body: "+".repeat(MAX_BYTES - 1_000) },
      routes({ not: { path: "$", equals: { a: 1 } } }),
    ],
    ["expressions of routes", text("ab "), routes({ jsonata: "$sum([1..100000]) < 0" })],
    ["expressions over texts", text("ab "), routes({ jsonata: "$contains(a, /(a|b)*c$/)" })],
    ["expressions over lists", list('{"a":1}', 19_000), routes({ jsonata: "$sum(a) < 0" })],
    [
      "paths of many steps",
      text("ab "),
      transforms({ type: "jsonata", expression: repeated("a", ".", 500) }),
    ],
    ["long expressions of routes", text("ab "), routes({ jsonata: repeated("1", "+", 2_500) })],
    [
      "many expressions of routes",
      text("ab "),
      routes({ any: Array.from({ length: 50 }, () => ({ not: { jsonata: "true" } })) }),
    ],
    ["mappings of routes", text(","), routes(null, { type: "split", separator: "," })],
  ])("%s", (_, sent, rules) => expectBounded(sent, rules));

  const piece = fc.constantFrom(
    ...[
      '"k#":',
      '"#"',
      "#",
      "1e300",
      "0.1",
      "-1",
      "12345678901234567",
      "[",
      "]",
      "{",
      "}",
      ",",
      ":",
    ],
    ...['"\\u0041"', '"\\\\"', '"é"', " ", "\n", "null", "true", '"aaaaaaaaaaaaaaaa"'],
  );
  const value = fc.jsonValue({ maxDepth: 3 }).map((found) => JSON.stringify(found));
  const field = fc.constantFrom("a", "#", "=", "&", "%41", "%ff", "+", ";", "[]", "é", "payload=");
  const line = fc.constantFrom(
    "\r\n",
    "--b",
    part,
    "A: b",
    "-",
    "x",
    'filename="#"',
    ";",
    "\r\n\r\n",
  );
  const few = { minLength: 1, maxLength: 6 };
  const joined = (pieces: fc.Arbitrary<string>) => fc.array(pieces, few).map((all) => all.join(""));
  const sent: fc.Arbitrary<Sent> = fc.oneof(
    fc.oneof(value, joined(piece)).map((unit) => list(unit)),
    value.map((unit) => members(`"k#":${unit}`)),
    value.map((unit) => list(unit, 1_000)),
    fc.tuple(value, fc.nat(39_000)).map(([unit, count]) => members(`"k#":${unit}`, count)),
    fc.tuple(joined(field), fc.constantFrom("", "&")).map(([unit, between]) => form(unit, between)),
    joined(line).map((unit) => multipart(repeated(unit, "\r\n", 1e6))),
  );
  const keyword = fc.constantFrom<NonNullable<EndpointConfig["validation"]["schema"]>>(
    { items: { multipleOf: 0.01 } },
    { uniqueItems: true },
    { unevaluatedProperties: false, allOf: [{ patternProperties: { "^k": true } }] },
    { additionalProperties: { type: ["string", "object"] } },
    { propertyNames: { pattern: "^[a-z]+1{2,20}$" } },
    { items: { anyOf: [{ format: "uri" }, { format: "email" }, { enum: [[1], { a: 1 }] }] } },
    { not: { contains: { const: { k: 7 } }, minContains: 3 } },
  );
  const schemas = fc
    .array(keyword, { maxLength: 4 })
    .map((allOf) => (allOf.length === 0 ? {} : schema({ allOf })));

  const doubled = "$x := {'a': $x, 'b': $x}; $y := {'a': $y, 'b': $y};".repeat(40);
  const twice = fc.constantFrom("$x = $y", "$x.**", "$x & $y", "$string($x)");
  const chain = fc.tuple(
    fc.constantFrom(
      "a",
      "1",
      "'a'",
      "$sum(1)",
      "$x := 1",
      "*",
      "a[0]",
      "$contains(a, /(a|b){30}c/)",
    ),
    fc.constantFrom(".", "+", "&", ",", ";", " and ", " or ", " ~> "),
    fc.constantFrom(3, 250, 500),
  );
  const known = fc.constantFrom(
    ...["$sum(**) > 0", "$exists(a[0])", "$string($) = 'x'"],
    ...[
      "$distinct(a)[0] = 1",
      "$sort(a)[0] = 1",
      "$join($split(a, ',')) = 'x'",
      "$reduce(a, $sum)",
    ],
    ...["$match(a, /[a-z]+b/)[0].index = 3", "$replace(a, /(a|b)+/, 'c') = 'x'", "a.b.c = 1"],
    ...["$map(a, function($x) { $x & $x }) = 1", "$pad('x', 9999999) = a"],
  );
  const expression = fc.oneof(
    { weight: 2, arbitrary: known },
    twice.map((end) => `($x := 1; $y := 1; ${doubled} ${end})`),
    chain.map(([unit, between, count]) => `(${repeated(unit, between, count, 4_900)})`),
  );
  const when: fc.Arbitrary<Condition> = fc.oneof(
    expression.map((jsonata) => ({ jsonata })),
    fc
      .constantFrom("(a|b)*c$", "^(\\w+\\s?)+$", "(x+x+)+y", ".*.*=.*", "[^,]*,[^,]*,$")
      .map((matches) => ({ path: "a", matches })),
    fc.jsonValue({ maxDepth: 2 }).map((value) => ({ path: "$", equals: json.parse(value) })),
    fc.constantFrom("a", "$", "[0]", "k0").map((path) => ({ path, exists: false })),
  );
  const condition = fc.oneof(
    when,
    fc.array(when, few).map((any) => ({ any })),
    fc.array(when, few).map((all) => ({ all: all.map((not) => ({ not })) })),
  );
  const step = fc.constantFrom(
    ...[{ type: "split", separator: "a" }, { type: "join", separator: "aaaa" }, { type: "json" }],
    ...[{ type: "lower" }, { type: "trim" }, { type: "length" }, { type: "number" }],
    { type: "replace", search: "a", with: "bbbb" },
    { type: "replace", search: "(a|ab)+", with: "$0$0", pattern: true },
    { type: "template", template: "{{value}}{{value}}{{a}}" },
    { type: "jsonata", expression: "$split($, ',') ~> $join('x')" },
    ...[{ type: "domain" }, { type: "timestamp" }, { type: "string" }, { type: "boolean" }],
  );
  const steps = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: step },
      expression.map((found) => ({ type: "jsonata", expression: found })),
    ),
    { minLength: 1, maxLength: 5 },
  );
  const long = fc
    .tuple(
      fc.constantFrom("a", "ab", "ab ", ",", '"', "é", "1", "a."),
      fc.constantFrom(1e3, 1e5, 1e7),
    )
    .map(([unit, count]) => text(unit, count));

  it("and whatever a search for routes and transforms finds", { timeout: 120_000 }, () =>
    fc.assert(
      fc.asyncProperty(
        fc.oneof(sent, long),
        fc.oneof(
          condition.map((found) => routes(found)),
          fc.tuple(condition, steps).map(([found, all]) => routes({ not: found }, ...all)),
          steps.map((all) => transforms(...all)),
        ),
        (body, rules) => expectBounded(body, rules),
      ),
      { numRuns: 8, endOnFailure: true },
    ),
  );

  it("and whatever a search finds", { timeout: 120_000 }, () =>
    fc.assert(
      fc.asyncProperty(sent, schemas, (body, rules) => expectBounded(body, rules)),
      { numRuns: 20, endOnFailure: true },
    ),
  );
});
