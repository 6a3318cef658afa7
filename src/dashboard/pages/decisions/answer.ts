import type { DecideBody, DecisionRecord } from "../../../contract/decisions.ts";
import { type Json, type JsonObject, json } from "../../../contract/json.ts";
import { propertiesOf } from "../../../lib/json-schema/portable.ts";
import { isObject } from "../../../lib/json-values.ts";
import { type Refusal, refusalFor, refusalOf } from "../../forms/errors.tsx";
import type { Posted } from "../../forms/posted.ts";

/** A control for one member of a call's input, or for all of it. */
export interface EditField {
  /** The member; empty for the whole input. */
  name: string;
  /** How its text is read: as it is, as a text a line, or as JSON, which numbers and truth values are. */
  as: "text" | "lines" | "json";
  hint: string;
}

type Call = Pick<DecisionRecord, "decisionId" | "input" | "inputSchema">;

/** Returns the name of a control of a decision: a page may show several of them. */
export const controlOf = ({ decisionId }: Pick<Call, "decisionId">, name: string): string =>
  `${name}~${decisionId}`;

/** Returns the path of a field's faults, as the API names them. */
export const pathOf = ({ name }: EditField): string => (name === "" ? "input" : `input.${name}`);

/** Returns the fields of a call, from the schema of its tool and from what the agent wrote. */
export function editFields({ input, inputSchema = {} }: Call): EditField[] {
  if (!isObject(input)) return [{ name: "", as: "json", hint: "" }];
  const properties = propertiesOf(inputSchema);
  const names = new Set([...Object.keys(input), ...Object.keys(properties)]);
  return [...names].map((name) => {
    const schema = properties[name];
    const rules = isObject(schema) ? schema : {};
    const hint = typeof rules.description === "string" ? rules.description : "";
    return { name, as: kindOf(rules, input[name]), hint };
  });
}

const isTexts = (value: Json | undefined): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === "string" && !item.includes("\n"));

/** A value that is there counts more than the schema: what is neither a text nor a list of texts is JSON. */
function kindOf({ type, items }: JsonObject, value: Json | undefined): EditField["as"] {
  if (value !== undefined) {
    if (typeof value === "string") return "text";
    return isTexts(value) ? "lines" : "json";
  }
  if (type === "string") return "text";
  const isListOfTexts = type === "array" && isObject(items) && items.type === "string";
  return isListOfTexts ? "lines" : "json";
}

/** Returns the text of a field's control for the input as it is. */
export function textOf({ name, as }: EditField, { input = null }: Call): string {
  const value = name === "" ? input : isObject(input) ? input[name] : undefined;
  if (value === undefined) return "";
  if (as === "lines" && Array.isArray(value)) return value.join("\n");
  return as === "json" ? JSON.stringify(value, null, 2) : String(value);
}

/** Returns the input that was typed, or what is wrong with it by the paths of the fields. */
export function editedInput(
  decision: Call,
  posted: Posted,
): { ok: true; input: Json } | { ok: false; faults: Map<string, string> } {
  const faults = new Map<string, string>();
  const members: JsonObject = {};
  let whole: Json = members;
  for (const field of editFields(decision)) {
    const text = posted.text(controlOf(decision, pathOf(field)));
    // What was absent and is empty stays absent.
    if (text === "" && (field.as !== "text" || textOf(field, decision) === "")) {
      const isEmptied = field.as === "lines" && textOf(field, decision) !== "";
      if (isEmptied) members[field.name] = [];
      continue;
    }
    const value = typedValue(field.as, text);
    if (value === undefined) faults.set(pathOf(field), "Is not valid JSON.");
    else if (field.name === "") whole = value;
    else members[field.name] = value;
  }
  return faults.size > 0 ? { ok: false, faults } : { ok: true, input: whole };
}

function typedValue(as: EditField["as"], text: string): Json | undefined {
  if (as === "text") return text;
  if (as === "lines") return text.split("\n").filter((line) => line.trim() !== "");
  try {
    return json.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** A form of a decision as it was sent: what was typed, why it was refused, and whether to confirm it. */
export interface SentDecision {
  posted: Posted;
  refusal: Refusal | null;
  isReviewed: boolean;
}

/** What a form of a decision asks for: an answer, or the changes to be shown first. */
type Asked =
  | { kind: "answer"; body: DecideBody }
  | { kind: "review" }
  | { kind: "refused"; refusal: Refusal };

function askedBy(decision: DecisionRecord, posted: Posted): Asked {
  const text = (name: string) => posted.text(controlOf(decision, name));
  const given = posted.line("decision");
  if (decision.kind === "question") {
    return { kind: "answer", body: { answer: text("answer") } };
  }
  const comment = typedIn(decision, posted);
  const said = comment === "" ? {} : { comment };
  if (given === "approve" || given === "deny") {
    return { kind: "answer", body: { decision: given, ...said } };
  }
  const edited = editedInput(decision, posted);
  if (!edited.ok) return { kind: "refused", refusal: refusalFor(edited.faults) };
  if (given !== "change") return { kind: "review" };
  return { kind: "answer", body: { decision: "approve", input: edited.input, ...said } };
}

/** Returns the text that a person wrote into a form. */
export function typedIn(decision: DecisionRecord, posted: Posted): string {
  const texts = ["answer", "comment", "note"].map((name) => posted.line(controlOf(decision, name)));
  return texts.find((text) => text !== "") ?? "";
}

/** What came of a form: the answered decision, or what its page shows again. */
type Decided = { kind: "done"; decision: DecisionRecord } | { kind: "again"; sent: SentDecision };

/** Answers a decision by a form. What the API refuses stays in the form, with its reason. */
export async function decideBy(
  decision: DecisionRecord,
  posted: Posted,
  send: (body: DecideBody) => Promise<DecisionRecord>,
): Promise<Decided> {
  const asked = askedBy(decision, posted);
  const again = (refusal: Refusal | null, isReviewed = false): Decided => ({
    kind: "again",
    sent: { posted, refusal, isReviewed },
  });
  if (asked.kind === "refused") return again(asked.refusal);
  if (asked.kind === "review") return again(null, true);
  try {
    return { kind: "done", decision: await send(asked.body) };
  } catch (error) {
    return again(refusalOf(error));
  }
}
