import type { EndpointConfig } from "../../src/contract/webhooks/endpoint.ts";
import { transform } from "../../src/contract/webhooks/mapping.ts";
import type { Condition } from "../../src/contract/webhooks/routing.ts";
import type { Check, Findings, Verdict } from "../../src/intake/checks/check.ts";
import { mapping, parse, routing, validation } from "../../src/intake/checks/payload.ts";
import { verdictOf } from "../unit/intake/checks/support.ts";
import { configWith, routeWith, workflowWith } from "./endpoint.ts";
import { endpointWith, requestWith } from "./hook-request.ts";

const MAX_BYTES = 10_485_760;
const JSON_TYPE = "application/json";
const FORM_TYPE = "application/x-www-form-urlencoded";
const MULTIPART_TYPE = "multipart/form-data; boundary=b";

/** A request body of a type. */
export interface Sent {
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

/** Has each check of the payload look at a body, until one refuses it. `run` makes the look itself. */
export async function lookAt(
  sent: Sent,
  rules: Partial<EndpointConfig>,
  run: (stage: string, look: () => Promise<Verdict>) => Promise<Verdict> = (_, look) => look(),
): Promise<void> {
  const limits = { ...configWith().validation, ...rules.validation, maxBytes: MAX_BYTES };
  const endpoint = endpointWith({ workflow, ...rules, validation: limits });
  const request = requestWith({ headers: { "Content-Type": sent.type }, body: sent.body });
  let found: Partial<Findings> = {};
  for (const check of [parse, validation, routing, mapping] satisfies Check[]) {
    const verdict = await run(check.stage, () => verdictOf(check, endpoint, request, found));
    if (verdict.kind === "refused") return;
    if (verdict.kind === "passed") found = { ...found, ...verdict.found };
  }
}

/** Repeats a text, with its place for each `#`, up to a number of times or bytes. */
export function repeated(
  unit: string,
  separator: string,
  count: number,
  bytes = MAX_BYTES - 1_000,
) {
  if (!unit.includes("#")) {
    const times = Math.min(count, Math.floor(bytes / (unit.length + separator.length)));
    return (unit + separator).repeat(times).slice(0, -separator.length || undefined);
  }
  const pieces: string[] = [];
  for (let at = 0, size = 0; at < count; at += 1) {
    const piece = unit.replaceAll("#", String(at));
    size += piece.length + separator.length;
    if (size > bytes) break;
    pieces.push(piece);
  }
  return pieces.join(separator);
}

export const part = '--b\r\nContent-Disposition: form-data; name="k#"\r\n\r\n1';
export const multipart = (parts: string): Sent => ({
  type: MULTIPART_TYPE,
  body: `${parts}\r\n--b--\r\n`,
});
/** Bodies of repeated units, as long as they may be. */
export const list = (unit: string, count = 1e7): Sent => ({
  type: JSON_TYPE,
  body: `[${repeated(unit, ",", count)}]`,
});
export const members = (unit: string, count = 1e7): Sent => ({
  type: JSON_TYPE,
  body: `{${repeated(unit, ",", count)}}`,
});
export const form = (unit: string, separator = "&"): Sent => ({
  type: FORM_TYPE,
  body: repeated(unit, separator, 1e7),
});
/** A schema as the only rule. */
export const schema = (of: NonNullable<EndpointConfig["validation"]["schema"]>) => ({
  validation: { ...configWith().validation, schema: of },
});
/** Forty fields with these transforms. */
export const transforms = (...settings: object[]) => ({
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
export const routes = (when: Condition | null, ...settings: object[]) => ({
  workflow: null,
  routing: {
    routes: Array.from({ length: 20 }, (_, at) =>
      routeWith({ name: `route ${at}`, when, workflow, ...transforms(...settings) }),
    ),
  },
});
/** A long text in a JSON object. */
export const text = (unit: string, count = 1e7): Sent => ({
  type: JSON_TYPE,
  body: JSON.stringify({ a: repeated(unit, "", count) }),
});

/** Bodies and rules that took long once, or would in a simpler check. */
export const COSTLY: [name: string, sent: Sent, rules: Partial<EndpointConfig>][] = [
  ["600,000 names", members('"k#":1', 600_000), {}],
  ["as many long names as are read", members(`"${"k_".repeat(100)}#":1`, 29_000), {}],
  ["as many long numbers as are read", list("1".repeat(49), 49_000), {}],
  ["long numbers under names", members('"k#":12345678901234567', 29_000), {}],
  ["empty objects", list("{}"), {}],
  ["deep nesting", list(`${"[".repeat(60)}${"]".repeat(60)}`), {}],
  ["escapes", text('"'), {}],
  ["a text of digits", text("1"), {}],
  ["white space", { type: JSON_TYPE, body: `[1${" ".repeat(MAX_BYTES - 10)}]` }, {}],
  ["900,000 form fields", form("k#=1"), {}],
  ["separators of a form", form("&", ""), {}],
  ["escapes of a form", form("%C3%A9", ""), {}],
  ["escapes that are not UTF-8", form("%41[]payload=payload=%ff", ""), {}],
  ["pluses", form(`k=${"+".repeat(1_000)}`), {}],
  ["190,000 parts", multipart(repeated(part, "\r\n", 190_000)), {}],
  ["header lines of a part", multipart(`--b\r\n${repeated("A: b\r\n", "", 1e6)}${part}`), {}],
  ["multiples", list("1e308", 49_000), schema({ items: { multipleOf: 5e-324 } })],
  [
    "alternatives",
    list('{"a":1}', 29_000),
    schema({ items: { oneOf: Array.from({ length: 30 }, (_, n) => ({ const: n })) } }),
  ],
  [
    "counts of members",
    members('"k#":1', 29_000),
    schema({ allOf: Array.from({ length: 200 }, () => ({ minProperties: 1 })) }),
  ],
  [
    "a long name that a schema compares",
    members(`"${"x".repeat(5_000_000)}":1`, 1),
    schema({ allOf: Array.from({ length: 200 }, () => ({ not: { const: { a: 1 } } })) }),
  ],
  ["unique items", list(`"${"x".repeat(100)}#"`, 49_000), schema({ uniqueItems: true })],
  ["patterns", list(`"${"ab".repeat(60)}"`, 49_000), schema({ items: { pattern: "(a|ab)*c$" } })],
  ["parts of a text", text(","), transforms({ type: "split", separator: "," })],
  [
    "parts of a text at each route",
    text("a", 100_000),
    routes({ not: { path: "b", exists: true } }, { type: "split", separator: "a" }),
  ],
  [
    "patterns in a mapping",
    text("ab ", 100_000),
    transforms({ type: "replace", search: "(a|b)+c", with: "", pattern: true }),
  ],
  [
    "names that routes do not find",
    members('"k#":1.5', 29_000),
    routes({ path: "x", exists: false }, { type: "trim" }),
  ],
  [
    "occurrences replaced at each route",
    text("a", 100_000),
    routes({ not: { path: "b", exists: true } }, { type: "replace", search: "a", with: "bbbb" }),
  ],
  ["occurrences in a long text", text("a"), transforms({ type: "replace", search: "a", with: "" })],
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
    list("[1]", 49_000),
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
    "lists within a list of any name",
    list('["x",1,true,null,2,"y"]', 1_000),
    routes({ jsonata: `(${repeated("*", " and ", 250)})` }),
  ],
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
];
