import { type DecideBody, type DecisionRecord, decideBody } from "../../../contract/decisions.ts";
import type { Json, JsonObject } from "../../../contract/json.ts";
import { propertiesOf } from "../../../lib/json-schema/portable.ts";
import { isObject } from "../../../lib/json-values.ts";
import { type Faults, faultAt } from "../../forms/errors.ts";
import {
  type Field,
  type Fields,
  type Form,
  type FormState,
  field,
  submit,
  type Values,
} from "../../forms/form.ts";
import { Posted } from "../../forms/posted.ts";

/** A control for one member of a call's input, or for all of it, whose member is null. */
type EditField = ReturnType<typeof editFields>[number];

type Call = Pick<DecisionRecord, "decisionId" | "input" | "inputSchema">;

/** Returns the name of a control of a decision: a page may show several of them. */
export const controlOf = ({ decisionId }: Pick<Call, "decisionId">, path: string): string =>
  `${path}~${decisionId}`;

/**
 * Returns the fields of a call, from the schema of its tool and from what the agent wrote: the value, and its
 * text in the control. An input that is no object is one JSON field.
 */
function editFields(call: Call) {
  const { input = null, inputSchema = {} } = call;
  const properties = propertiesOf(inputSchema);
  const members = isObject(input)
    ? new Set([...Object.keys(input), ...Object.keys(properties)])
    : [null];
  return [...members].map((member) => {
    const schema = member === null ? null : properties[member];
    const rules = isObject(schema) ? schema : {};
    const value = isObject(input) && member !== null ? input[member] : input;
    const kind = member === null ? "json" : kindOf(rules, value);
    const hint = typeof rules.description === "string" ? rules.description : "";
    const name = controlOf(call, member === null ? "input" : `input.${member}`);
    return { name, member, kind, hint, value, text: textOf(kind, value) };
  });
}

/** How the text of a control is read: as it is, as a text a line, or as JSON, which numbers and truth values are. */
type Kind = "text" | "lines" | "json";

/** A line of a control ends at a line break or a comma. */
const isTexts = (value: Json): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === "string" && !/[\r\n,]/.test(item));

/** A value that is there counts more than the schema: what is neither a text nor a list of texts is JSON. */
function kindOf({ type, items }: JsonObject, value: Json | undefined): Kind {
  if (value !== undefined) {
    if (typeof value === "string") return "text";
    return isTexts(value) ? "lines" : "json";
  }
  if (type === "string") return "text";
  const isListOfTexts = type === "array" && isObject(items) && items.type === "string";
  return isListOfTexts ? "lines" : "json";
}

function textOf(kind: Kind, value: Json | undefined): string {
  if (value === undefined) return "";
  if (kind === "lines" && Array.isArray(value)) return value.join("\n");
  return kind === "json" ? JSON.stringify(value, null, 2) : String(value);
}

/** Tells whether somebody has typed another text than the agent wrote. Browsers change line breaks. */
const isEdited = ({ name, text }: EditField, typed: Posted): boolean =>
  typed.isOn(name) && typed.text(name) !== text.replaceAll(/\r\n?/g, "\n");

/** What a control means that was emptied; JSON is left out. */
const EMPTY = { text: "", lines: [], json: undefined };

/** Returns the whole input that was typed; null for the one that the agent wrote. */
export function editedInput(call: Call, typed: Posted, values: Values): Json | null {
  const fields = editFields(call);
  if (!fields.some((field) => isEdited(field, typed))) return null;
  const pairs = fields.flatMap((field) => {
    const { name, member, kind, value: before } = field;
    const value = isEdited(field, typed) ? (values[name] ?? EMPTY[kind]) : before;
    return value === undefined ? [] : [[member, value] as const];
  });
  const [first] = pairs;
  return first?.[0] === null ? first[1] : Object.fromEntries(pairs);
}

/** Tells whether a form asks to see its changes, which nobody approves unseen. */
export function asksForReview(decision: DecisionRecord, typed: Posted): boolean {
  const given = typed.line("decision");
  if (decision.kind === "question" || given === "deny" || given === "change") return false;
  return given !== "approve" || editFields(decision).some((field) => isEdited(field, typed));
}

/** Returns the form of a decision. A denial reads no changes. */
function decisionForm(decision: DecisionRecord, typed: Posted): Form<typeof decideBody> {
  const [answer, comment] = [controlOf(decision, "answer"), controlOf(decision, "comment")];
  if (decision.kind === "question") {
    const label = decision.choices?.length ? "Another answer" : "Your answer";
    return {
      schema: decideBody,
      fields: { [answer]: field.text(label, { more: { required: true, rows: 3 } }) },
      assemble: (values) => ({ answer: values[answer] ?? "" }),
    };
  }
  const isDenied = typed.line("decision") === "deny";
  const edits = isDenied ? [] : editFields(decision);
  return {
    schema: decideBody,
    fields: {
      ...Object.fromEntries(edits.map(({ name, ...field }) => [name, controlFor(field)])),
      [comment]: field.text("Comment for the agent (optional)", { more: { rows: 2 } }),
    },
    assemble(values) {
      const input = isDenied ? null : editedInput(decision, typed, values);
      return {
        decision: isDenied ? "deny" : "approve",
        ...(input !== null && { input }),
        ...(values[comment] !== undefined && { comment: values[comment] }),
      };
    },
  };
}

function controlFor({ kind, member, hint, text }: Omit<EditField, "name">): Field {
  const about = kind === "lines" ? `${hint} One per line.`.trim() : hint;
  const rows = Math.min(12, text.split("\n").length);
  return { kind, label: member ?? "Input", hint: about || undefined, more: { rows } };
}

/** Returns the forms of a decision with what was typed, and the rest of the call as the agent wrote it. */
export function decisionState(decision: DecisionRecord, sent = new Posted()): FormState {
  const rest = editFields(decision).filter(({ name }) => !sent.isOn(name));
  const typed = sent.with(rest.map(({ name, text }) => [name, text]));
  return { form: decisionForm(decision, typed), typed, refusal: null };
}

/** What came of a form: the answered decision, or what its page shows again. */
type Decided = { kind: "done"; decision: DecisionRecord } | { kind: "again"; state: FormState };

/** Answers a decision by a form. What the API refuses stays in the form, with its reason. */
export async function decideBy(
  decision: DecisionRecord,
  typed: Posted,
  send: (body: DecideBody) => Promise<DecisionRecord>,
): Promise<Decided> {
  const isReview = asksForReview(decision, typed);
  const form = decisionForm(decision, typed);
  const sent = await submit(form, typed, async (body) => (isReview ? null : send(body)));
  if (!sent.ok) {
    const { refusal } = sent.state;
    const faults = atControls(form.fields, refusal.faults);
    const state = { ...decisionState(decision, typed), refusal: { ...refusal, faults } };
    return { kind: "again", state };
  }
  if (sent.value !== null) return { kind: "done", decision: sent.value };
  return { kind: "again", state: decisionState(decision, typed) };
}

/** Moves the API's faults to the controls of a decision. */
function atControls(fields: Fields, faults: Faults): Faults {
  const placed = Object.keys(fields).flatMap((name) => {
    const text = faultAt(faults, name) ?? faultAt(faults, name.slice(0, name.lastIndexOf("~")));
    return text === undefined ? [] : [[name, text] as const];
  });
  return placed.length === 0 ? faults : new Map(placed);
}
