import * as z from "zod";
import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import { mappingBody } from "../../../contract/inbound/mapping.ts";
import { validationBody } from "../../../contract/inbound/validation.ts";
import type { Json } from "../../../contract/json.ts";
import type { Made } from "../../forms/attempt.ts";
import { type Faults, faultsByIssues } from "../../forms/faults.ts";
import { jsonText, typedJson } from "../../forms/json.ts";
import type { Posted } from "../../forms/posted.ts";

/** Validation and mapping as their form has them: JSON that may be wrong. */
export interface RulesDraft {
  validation: string;
  mapping: string;
  /** How many of the newest requests the draft is tried on. */
  last: string;
}

const LAST = "50";

/** The rules as they are, or others in their place. */
export function draftOfRules({
  validation,
  mapping,
}: Pick<EndpointRecord, "validation" | "mapping">): RulesDraft {
  return { validation: jsonText(plain(validation)), mapping: jsonText(plain(mapping)), last: LAST };
}

export function postedRules(posted: Posted): RulesDraft {
  return {
    validation: posted.text("validation"),
    mapping: posted.text("mapping"),
    last: posted.line("last"),
  };
}

const rules = z.object({
  validation: validationBody,
  mapping: mappingBody,
  last: z.coerce.number().int().min(1).max(200),
});
export type Rules = z.output<typeof rules>;

/** The rules that the draft says; each half may be wrong on its own. */
export function rulesOf(draft: RulesDraft): Made<Rules> {
  const own = new Map<string, string>();
  const read = (name: "validation" | "mapping"): Json => {
    const typed = typedJson(draft[name]);
    if (typed.ok) return typed.value;
    own.set(name, typed.message);
    return {};
  };
  const parsed = rules.safeParse({
    validation: read("validation"),
    mapping: read("mapping"),
    last: draft.last,
  });
  if (parsed.success && own.size === 0) return { ok: true, body: parsed.data };
  const faults: Faults = new Map([
    ...(parsed.success ? [] : faultsByIssues(parsed.error.issues)),
    ...own,
  ]);
  return { ok: false, faults };
}

/** As JSON has it, without fields that are undefined. */
function plain(value: unknown): Json {
  const read = typedJson(JSON.stringify(value));
  return read.ok ? read.value : null;
}
