import type { Json, JsonObject } from "../../../contract/json.ts";
import type { MappedField, Mapping } from "../../../contract/webhooks/mapping.ts";
import { DEFAULT_MAX_BYTES, type ValidationRules } from "../../../contract/webhooks/validation.ts";
import type { WorkflowInput } from "../../../contract/workflow.ts";
import { jsonText, readJson } from "../../forms/form.ts";
import type { Posted } from "../../forms/posted.ts";
import { transformNamed } from "./transforms.ts";

/** Rules as the controls of the editor hold them: texts, right or wrong. */
export interface Draft {
  checks: DraftCheck[];
  schema: string;
  formats: string;
  maxBytes: string;
  auto: boolean;
  emptyIsAbsent: string;
  fields: DraftField[];
}

/** What a path must be: present, of a type (empty for any), or both. */
export interface DraftCheck {
  path: string;
  required: boolean;
  type: string;
}

export interface DraftField {
  to: string;
  in: string;
  from: string;
  default: string;
  transforms: DraftTransform[];
}

interface DraftTransform {
  type: string;
  /** The texts of its settings; a ticked box is `on`. */
  settings: Record<string, string>;
}

/** The names of the lists' controls: the paths of the same fields in the API's errors. */
export const FIELDS = "mapping.fields";
export const CHECKS = "validation.checks";

/** Returns saved rules as a draft. */
export function draftFrom(
  { required, types, schema, formats, maxBytes }: ValidationRules,
  { auto, emptyIsAbsent, fields }: Mapping,
  inputs: readonly WorkflowInput[],
): Draft {
  const paths = [...new Set([...required, ...Object.keys(types)])];
  return {
    checks: paths.map((path) => ({
      path,
      required: required.includes(path),
      type: Object.hasOwn(types, path) ? (types[path] ?? "") : "",
    })),
    schema: schema === null ? "" : jsonText(schema),
    formats: formats ?? "",
    maxBytes: String(maxBytes),
    auto,
    emptyIsAbsent: emptyIsAbsent === undefined ? "" : String(emptyIsAbsent),
    fields: fields.map((field) => shownField(field, inputs)),
  };
}

function shownField(
  { to, in: part = "body", from, transforms, default: standard }: MappedField,
  inputs: readonly WorkflowInput[],
): DraftField {
  return {
    to,
    in: part,
    from: from ?? "",
    // A default of null is none.
    default: (standard ?? null) === null ? "" : shownDefault(standard ?? null, isText(to, inputs)),
    transforms: transforms.map(({ type, ...settings }) => ({
      type,
      settings: Object.fromEntries(
        Object.entries(settings).flatMap(([name, value]) =>
          value === undefined || value === false
            ? []
            : [[name, value === true ? "on" : String(value)]],
        ),
      ),
    })),
  };
}

function isText(to: string, inputs: readonly WorkflowInput[]): boolean {
  const type = inputs.find(({ name }) => name === to)?.type;
  return type === "string" || type === "timestamp";
}

/** A default is typed as text for an input of text, else as JSON where it is JSON. */
function shownDefault(value: Json, isOfText: boolean): string {
  if (typeof value !== "string") return JSON.stringify(value);
  const isPlain = value !== "" && (isOfText || !readJson(value).ok);
  return isPlain ? value : JSON.stringify(value);
}

function typedDefault(text: string, isOfText: boolean): Json | undefined {
  if (text.trim() === "") return undefined;
  if (text === '""') return "";
  const read = isOfText ? null : readJson(text);
  return read?.ok ? read.value : text;
}

/** Returns what was typed into the editor. */
export function draftOf(typed: Posted): Draft {
  return {
    checks: typed.rows(CHECKS).map((at) => {
      const path = `${CHECKS}[${at}]`;
      return {
        path: typed.line(`${path}.path`),
        required: typed.isOn(`${path}.required`),
        type: typed.line(`${path}.type`),
      };
    }),
    schema: typed.text("validation.schema"),
    formats: typed.line("validation.formats"),
    maxBytes: typed.line("validation.maxBytes"),
    auto: typed.isOn("mapping.auto"),
    emptyIsAbsent: typed.line("mapping.emptyIsAbsent"),
    fields: typed.rows(FIELDS).map((at) => typedField(typed, `${FIELDS}[${at}]`)),
  };
}

function typedField(typed: Posted, path: string): DraftField {
  const list = `${path}.transforms`;
  return {
    to: typed.line(`${path}.to`),
    in: typed.line(`${path}.in`),
    from: typed.line(`${path}.from`),
    default: typed.text(`${path}.default`),
    transforms: typed.rows(list).map((at) => {
      const type = typed.line(`${list}[${at}].type`);
      const names = transformNamed(type)?.settings.map(({ name }) => name) ?? [];
      const texts = names.map((name) => [name, typed.text(`${list}[${at}].${name}`)] as const);
      return { type, settings: Object.fromEntries(texts) };
    }),
  };
}

/** Returns the API's body of a draft, right or wrong. */
export function bodyOf(
  draft: Draft,
  inputs: readonly WorkflowInput[],
  fault: (path: string, message: string) => void = () => {},
) {
  const { auto, emptyIsAbsent } = draft;
  return {
    validation: validationOf(draft, fault),
    mapping: {
      auto,
      ...(emptyIsAbsent !== "" && { emptyIsAbsent: emptyIsAbsent === "true" }),
      fields: draft.fields.map((field) => fieldBody(field, inputs)),
    },
  };
}

function validationOf(
  { checks, schema, formats, maxBytes }: Draft,
  fault: (path: string, message: string) => void,
) {
  const named = checks.filter(({ path }) => path !== "");
  const read = schema.trim() === "" ? null : readJson(schema);
  if (read?.ok === false) fault("validation.schema", read.message);
  return {
    required: named.filter((check) => check.required).map(({ path }) => path),
    types: Object.fromEntries(
      named.filter(({ type }) => type !== "").map(({ path, type }) => [path, type]),
    ),
    schema: read?.ok ? read.value : null,
    ...(formats !== "" && { formats }),
    maxBytes: maxBytes === "" ? DEFAULT_MAX_BYTES : Number(maxBytes),
  };
}

/** Returns the API's body of a field. */
export function fieldBody(
  { to, in: part, from, transforms, default: standard }: DraftField,
  inputs: readonly WorkflowInput[],
): JsonObject {
  const value = typedDefault(standard, isText(to, inputs));
  return {
    to,
    ...(part !== "body" && { in: part }),
    from: from === "" ? null : from,
    transforms: transforms.map(({ type, settings }) => ({ type, ...settingsOf(type, settings) })),
    ...(value !== undefined && { default: value }),
  };
}

function settingsOf(type: string, texts: Record<string, string>): JsonObject {
  const settings = transformNamed(type)?.settings ?? [];
  return Object.fromEntries(
    settings.flatMap(({ name, kind, keepsEmpty }): [string, Json][] => {
      const text = texts[name] ?? "";
      if (kind === "check") return text === "" ? [] : [[name, true]];
      const value = kind === "line" ? text.trim() : text;
      return value === "" && keepsEmpty !== true ? [] : [[name, value]];
    }),
  );
}
