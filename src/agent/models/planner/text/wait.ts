import { type Json, type JsonObject, json } from "../../../../contract/json.ts";
import { filledText, valueAt } from "./input-references.ts";

/** The wait that a prompt begins with. */
export interface Wait {
  /** The input of `wait_for_event`. */
  call: { endpointId: string; when: JsonObject; timeoutSeconds: number };
  /** The wait in canonical English. */
  says: string;
}

const UNITS: Record<string, number> = { second: 1, minute: 60, hour: 3_600, day: 86_400 };

const THING = "an? (?:event|request|webhook)";
const LIMIT = String.raw`(?:at most |up to )?(?<count>\d{1,7}) (?<unit>second|minute|hour|day)s?`;
/** "Wait until ep_… receives an event whose build is green, for at most 2 hours, then …" */
const WAIT = new RegExp(
  String.raw`^\s*(?:please )?wait (?:until (?:the endpoint )?(?<endpoint>\S+|\{\{[^}]*\}\}) (?:receives|gets) ${THING}|for ${THING} (?:of|at|from|on) (?:the endpoint )?(?<place>\S+|\{\{[^}]*\}\})) (?:whose|where|with) (?<tests>.+?)(?:,? (?:for|within) ${LIMIT})?(?:,? (?:and )?then |[.;]\s+(?:then,? )?|[.]?\s*$)(?<rest>.*)$`,
  "is",
);
const TEST =
  /^(?:its |the )?(?<header>header )?(?<path>[\w.$[\]-]+) (?<not>is not|is|equals|=) (?<value>"[^"]*"|\{\{[^}]*\}\}|[^\s",]+)$/i;
const ENDPOINT_ID = /^ep_[0-9a-f]{40,42}$/;
const REFERENCE = /^\{\{\s*([\p{L}_][\p{L}\p{N}_.-]*)\s*\}\}$/u;

/** Splits the wait that a prompt begins with from the rest of the prompt. Returns null for other prompts. */
export function waitIn(
  prompt: string,
  inputs: JsonObject | null,
): { wait: Wait; rest: string } | null {
  const groups = WAIT.exec(prompt)?.groups;
  if (groups === undefined) return null;
  const { endpoint = "", place = endpoint, tests = "", rest = "" } = groups;
  const { count = "1", unit = "day" } = groups;
  const endpointId = literalOf(place, inputs);
  const conditions = tests.split(/ and (?=.)/).map((test) => conditionIn(test, inputs));
  const all = conditions.filter((condition) => condition !== null);
  if (typeof endpointId !== "string" || !ENDPOINT_ID.test(endpointId)) return null;
  if (all.length < conditions.length) return null;
  const [only = { all }, ...others] = all;
  const when = others.length === 0 ? only : { all };
  const name = unit.toLowerCase();
  const limit = `${count} ${name}${count === "1" ? "" : "s"}`;
  const says = `wait at most ${limit} until ${endpointId} receives an event whose ${filledText(tests, inputs)}`;
  const timeoutSeconds = Number(count) * (UNITS[name] ?? 1);
  return { wait: { call: { endpointId, when, timeoutSeconds }, says }, rest: rest.trim() };
}

function conditionIn(test: string, inputs: JsonObject | null): JsonObject | null {
  const { header, path, not = "", value = "" } = TEST.exec(test.trim())?.groups ?? {};
  const equals = literalOf(value, inputs);
  if (path === undefined || equals === null || typeof equals === "object") return null;
  const condition: JsonObject = {
    ...(header !== undefined && { in: "header" as const }),
    path,
    equals,
  };
  return not.toLowerCase() === "is not" ? { not: condition } : condition;
}

/** Returns a value as it is written: a reference, a text in quotes, a number, true or false, else a word. */
function literalOf(text: string, inputs: JsonObject | null): Json {
  const name = REFERENCE.exec(text)?.[1];
  if (name !== undefined) return valueAt(inputs, name) ?? null;
  try {
    return json.parse(JSON.parse(text));
  } catch {
    return text;
  }
}
