import * as z from "zod";
import { type Json, type JsonObject, json } from "../../contract/json.ts";
import { invalidByIssues } from "../../http/problem.ts";
import { isObject, valueAt } from "../../lib/json-values.ts";
import { parseStrictJson } from "../../lib/strict-json.ts";
import { type Faults, faultsOf, type Refusal, refusalFor, refusalOf } from "./errors.ts";
import { Posted } from "./posted.ts";

export type Attributes = Record<string, string | number | boolean | undefined>;
/** The labels of a choice by their values. */
export type Options = Readonly<Record<string, string>>;

/** Returns options whose labels are their values. */
export const optionsOf = (values: readonly string[]): Options =>
  Object.fromEntries(values.map((value) => [value, value]));

/** A control of a form. Its name is its key: the path of the field in the API's body. */
export type Field = {
  label: string;
  hint?: string | undefined;
  /** A blank required control is sent as an empty text, for the API to refuse. */
  required?: boolean;
  more?: Attributes;
  /** Values to suggest; any other can be typed. */
  suggestions?: readonly string[];
} & (
  | {
      /**
       * `line`: text without the blanks around it. `text`: prose as it is. `code`: text that is not prose.
       * `json`: JSON. `lines`: a list, one item per line. `secret` and `files`: never written back into a page.
       */
      kind: TextKind | "number" | "check" | "files";
    }
  | {
      /** `boxes`: a box for each option, called `name.value`. `choices`: the links of a filter. */
      kind: "select" | "boxes" | "choices";
      options: Options;
      /** What boxes say below their labels. */
      hints?: Options;
    }
  | {
      kind: "rows";
      /** What one row is called, in lower case. */
      one: string;
      /** The controls of a row. */
      fields: Fields;
      /** Whether a row in which nothing was typed is sent. */
      keepsBlank?: true;
    }
);
type TextKind = "line" | "text" | "code" | "json" | "secret" | "moment" | "lines";
export type Fields = Readonly<Record<string, Field>>;

type Rest = Omit<Field, "kind" | "label" | "options">;
const plain =
  <Kind extends TextKind | "number" | "check" | "files">(kind: Kind) =>
  (label: string, rest: Rest = {}) => ({ kind, label, ...rest });
const choice =
  <Kind extends "select" | "boxes" | "choices">(kind: Kind) =>
  (label: string, options: Options, rest: Rest & { hints?: Options } = {}) => ({
    kind,
    label,
    options,
    ...rest,
  });

/** Makes the controls of a form by their kinds. */
export const field = {
  line: plain("line"),
  text: plain("text"),
  code: plain("code"),
  json: plain("json"),
  lines: plain("lines"),
  secret: plain("secret"),
  moment: plain("moment"),
  number: plain("number"),
  check: plain("check"),
  files: plain("files"),
  select: choice("select"),
  boxes: choice("boxes"),
  choices: choice("choices"),
};

/** Values by the names of their controls; those of blank controls are absent. */
export type Values = Record<string, Json>;

/** A form of the API: what it shows and the body that it makes. */
export interface Form<Schema extends z.ZodType = z.ZodType> {
  fields: Fields;
  /** The schema of the API's body. */
  schema: Schema;
  /** The value that a blank control stands for in a change; absent without one. */
  blank?: null;
  /** Makes the body of the values where it is not simply the values at their paths. */
  assemble?(values: Values, fault: (name: string, message: string) => void): unknown;
}

/** A form with what was typed into it. */
export interface FormState {
  form: Form;
  typed: Posted;
  refusal: Refusal | null;
  /** The row that takes the focus after a row was added or removed. */
  focus?: { list: string; at: number | "add" };
}

/** The body of an API call, or what is wrong with what was typed. */
export type Made<Body> = { ok: true; body: Body } | { ok: false; faults: Faults };

/** A form that was refused. */
export type RefusedState = FormState & { refusal: Refusal };

/** The outcome of a submitted form. */
type Submitted<Value> = { ok: true; value: Value } | { ok: false; state: RefusedState };

/** Returns the form as it is first shown: blank, or with the values of a record of the API. */
export function shownForm(form: Form, record: object = {}): FormState {
  return { form, typed: new Posted(pairsFrom(form.fields, record, "")), refusal: null };
}

/** Calls the API with the body of what was typed; returns the form again where that is refused. */
export async function submit<Schema extends z.ZodType, Value>(
  form: Form<Schema>,
  typed: Posted,
  call: (body: z.output<Schema>) => Promise<Value>,
): Promise<Submitted<Value>> {
  const made = readForm(form, typed);
  if (!made.ok) return { ok: false, state: { form, typed, refusal: refusalFor(made.faults) } };
  try {
    return { ok: true, value: await call(made.body) };
  } catch (error) {
    return { ok: false, state: { form, typed, refusal: refusalOf(error) } };
  }
}

/** Makes the API's body of what was typed. All faults are reported at once. */
export function readForm<Schema extends z.ZodType>(
  { fields, schema, blank, assemble = nested }: Form<Schema>,
  typed: Posted,
): Made<z.output<Schema>> {
  const faults = new Map<string, string>();
  const fault = (name: string, message: string) => void faults.set(name, message);
  const parsed = schema.safeParse(assemble(valuesOf(fields, typed, "", blank, fault), fault));
  if (parsed.success && faults.size === 0) return { ok: true, body: parsed.data };
  const found = parsed.success ? [] : invalidByIssues("form", parsed.error.issues).errors;
  const others = faultsOf(found ?? []);
  return { ok: false, faults: new Map([...others, ...faults]) };
}

/** Returns the values that were typed, without those that are wrong. */
export function typedValues({ form: { fields, blank }, typed }: FormState): Values {
  return valuesOf(fields, typed, "", blank, () => {});
}

/** Tells whether a control holds anything. */
export function isSet({ form, typed }: FormState, name: string): boolean {
  const field = form.fields[name];
  const value = field && controlValue(field, typed, name, () => {});
  return value !== undefined && value !== false && (!Array.isArray(value) || value.length > 0);
}

/** Puts each value at its path: `auth.token.header` into `{auth: {token: {header}}}`. */
export function nested(values: Values): JsonObject {
  const body: JsonObject = {};
  for (const [name, value] of Object.entries(values)) {
    const path = name.split(".");
    const last = path.pop() ?? name;
    let place = body;
    for (const part of path) {
      const inner = place[part];
      const next = isObject(inner) ? inner : {};
      place[part] = next;
      place = next;
    }
    place[last] = value;
  }
  return body;
}

type Fault = (name: string, message: string) => void;

function valuesOf(
  fields: Fields,
  typed: Posted,
  prefix: string,
  blank: null | undefined,
  fault: Fault,
): Values {
  const values: Values = {};
  for (const [key, field] of Object.entries(fields)) {
    const name = prefix + key;
    const value = controlValue(field, typed, name, fault);
    if (value !== undefined) values[key] = value;
    else if (field.required === true) values[key] = "";
    else if (blank === null && field.kind !== "secret") values[key] = null;
  }
  return values;
}

/** Reads a control; undefined for a blank one, and for one with a fault. */
function controlValue(field: Field, typed: Posted, name: string, fault: Fault): Json | undefined {
  switch (field.kind) {
    case "check":
      return typed.isOn(name);
    case "boxes":
      return Object.keys(field.options).filter((value) => typed.isOn(`${name}.${value}`));
    case "choices":
      return typed.all(name);
    case "files": {
      const files = typed.files(name);
      return files.length === 0 ? undefined : json.parse(files);
    }
    case "rows":
      return typed
        .rows(name)
        .map((at) => valuesOf(field.fields, typed, `${name}[${at}].`, undefined, fault));
    default:
      return textOf(field.kind, typed.text(name), (message) => fault(name, message));
  }
}

function textOf(
  kind: TextKind | "number" | "select",
  text: string,
  fail: (message: string) => void,
): Json | undefined {
  const line = text.trim();
  if (line === "") return undefined;
  switch (kind) {
    case "text":
    case "code":
      return text;
    case "number":
      return /^\d{1,9}$/.test(line) ? Number(line) : void fail("Must be a whole number.");
    case "moment":
      // What is no time is left for the schema to refuse.
      return moment.safeParse(line).data ?? line;
    case "json": {
      const read = readJson(text);
      return read.ok ? read.value : void fail(read.message);
    }
    case "lines": {
      // Commas end lines too.
      const lines = text.split(/[\n,]/).map((each) => each.trim());
      return lines.filter((each) => each !== "");
    }
    default:
      return line;
  }
}

/** Reads JSON as the API does. */
export function readJson(text: string): { ok: true; value: Json } | { ok: false; message: string } {
  const read = parseStrictJson(new TextEncoder().encode(text));
  if (read.ok) return { ok: true, value: json.parse(read.value) };
  return { ok: false, message: read.detail.replace(/^The body is/, "This is") };
}

/** Writes JSON for people to read and change. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, null, 2);
}

/** Reads a moment as browsers send it: without a zone, which is UTC here, and often without seconds. */
export const moment = z
  .string()
  .transform((text) => text.replace(/(T\d\d:\d\d)(?=Z|[+-]|$)/, "$1:00"))
  .transform((text) => (/(?:Z|[+-]\d\d:\d\d)$/.test(text) ? text : `${text}Z`))
  .pipe(z.iso.datetime({ offset: true, error: "must be a time such as 2026-11-21T10:00, in UTC" }))
  .transform((text) => new Date(text).toISOString());

/** Returns what the controls hold that show a record of the API. Secrets stay blank. */
function pairsFrom(fields: Fields, record: object, prefix: string): [string, string][] {
  return Object.entries(fields).flatMap(([key, field]) => {
    const value = valueAt(record, key);
    return value === undefined || value === null ? [] : shown(field, value, prefix + key);
  });
}

function shown(field: Field, value: unknown, name: string): [string, string][] {
  const list = Array.isArray(value) ? value : [];
  switch (field.kind) {
    case "secret":
    case "files":
      return [];
    case "check":
      return value === true ? [[name, "on"]] : [];
    case "boxes":
      return list.map((one) => [`${name}.${one}`, "on"]);
    case "choices":
      return list.map((one) => [name, String(one)]);
    case "lines":
      return [[name, list.join("\n")]];
    case "json":
      return [[name, jsonText(value)]];
    case "rows":
      return list.flatMap((row, index) => pairsFrom(field.fields, row, `${name}[${index}].`));
    default:
      return [[name, String(value)]];
  }
}

/**
 * Adds or removes a row where the pressed button asks for it, an added one with the values of its query
 * (`add:list?name=value`); null where it submits the form.
 */
export function changedRows(form: Form, typed: Posted): FormState | null {
  const [, act, list = "", digits, given] =
    /^(add|remove):([^?]+?)(?:\[(\d{1,4})\])?(?:\?(.*))?$/s.exec(typed.line("do")) ?? [];
  const field = form.fields[list];
  if (field?.kind !== "rows") return null;
  const isAdded = act === "add";
  const kept = typed.withRows(list, (at) => isAdded || at !== Number(digits));
  const count = kept.rows(list).length;
  const [first = ""] = Object.keys(field.fields);
  const row = given === undefined ? [[first, ""] as const] : new URLSearchParams(given);
  const changed = isAdded
    ? kept.with([...row].map(([name, value]) => [`${list}[${count}].${name}`, value]))
    : kept;
  const last = changed.rows(list).length - 1;
  const focus = { list, at: last < 0 ? ("add" as const) : last };
  return { form, typed: changed, refusal: null, focus };
}

/** Drops the rows in which nothing was typed. */
export function withoutBlankRows({ fields }: Form, typed: Posted): Posted {
  return Object.entries(fields).reduce((left, [list, field]) => {
    if (field.kind !== "rows" || field.keepsBlank) return left;
    const names = Object.entries(field.fields).filter(
      ([, { kind }]) => kind === "line" || kind === "text" || kind === "secret",
    );
    return left.withRows(list, (at) =>
      names.some(([name]) => left.text(`${list}[${at}].${name}`) !== ""),
    );
  }, typed);
}
