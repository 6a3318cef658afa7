import * as z from "zod";
import type { Json, JsonObject } from "../../../contract/json.ts";
import { type Mapping, mappingBody } from "../../../contract/webhooks/mapping.ts";
import {
  DEFAULT_MAX_BYTES,
  payloadType,
  type ValidationRules,
  validationBody,
} from "../../../contract/webhooks/validation.ts";
import type { WorkflowInput } from "../../../contract/workflow.ts";
import { isObject } from "../../../lib/json-values.ts";
import type { Faults } from "../../forms/errors.tsx";
import { type Form, readJson, type Values } from "../../forms/form.ts";
import type { Posted } from "../../forms/posted.ts";
import { transformFields } from "./transforms.ts";

/** The names of the lists' controls: `FIELDS` is the path of the same list in the API's errors. */
export const FIELDS = "mapping.fields";
export const CHECKS = "validation.checks";

const rules = z.object({
  validation: validationBody,
  mapping: mappingBody,
});
export type Rules = z.output<typeof rules>;

/** The list of the paths that the controls suggest. */
export const PATHS = "sample-paths";
const PATH = { maxlength: 500, spellcheck: "false", list: PATHS };

/**
 * Returns the form of an endpoint's validation and mapping, to these inputs where they are known. What no
 * control shows stays as it is saved.
 */
export function rulesForm(inputs: readonly WorkflowInput[], saved: Rules): Form<typeof rules> {
  const names = inputs.map(({ name }) => ({ value: name, label: name }));
  return {
    schema: rules,
    fields: {
      [FIELDS]: {
        kind: "rows",
        label: "Mapped values",
        hint: "The path of a value in the request, and the input that it goes to.",
        one: "value",
        keepsBlank: true,
        fields: {
          from: {
            kind: "line",
            label: "Path or name",
            more: PATH,
          },
          in: {
            kind: "select",
            label: "From",
            options: [
              { value: "body", label: "payload" },
              { value: "header", label: "header" },
              { value: "query", label: "query" },
            ],
          },
          to:
            names.length === 0
              ? { kind: "line", label: "Input" }
              : { kind: "select", label: "Input", options: names },
          default: { kind: "raw", label: "Default", hint: "Used if there is no value." },
          transforms: {
            kind: "rows",
            label: "Transforms",
            one: "transform",
            fields: transformFields,
          },
        },
      },
      "mapping.auto": {
        kind: "check",
        label: "Find other inputs by their names",
        hint: "At any depth of the payload, in upper or lower case.",
      },
      [CHECKS]: {
        kind: "rows",
        label: "Rules",
        one: "rule",
        fields: {
          path: { kind: "line", label: "Path", more: PATH },
          type: {
            kind: "select",
            label: "Type",
            options: [
              { value: "", label: "any type" },
              ...payloadType.options.map((value) => ({ value, label: value })),
            ],
          },
          required: { kind: "check", label: "Required" },
        },
      },
      "validation.schema": {
        kind: "json",
        label: "JSON Schema",
        hint: "Draft 2020-12. Leave empty for none.",
        more: { rows: 10 },
      },
      "validation.maxBytes": { kind: "number", label: "Maximum body size (bytes)" },
    },
    assemble(values) {
      const { validation, mapping } = bodyOf(values, inputs);
      return {
        validation: { ...saved.validation, ...validation },
        mapping: { ...saved.mapping, ...mapping },
      };
    },
  };
}

const rowsIn = (value: Json | undefined): JsonObject[] => [value ?? []].flat().filter(isObject);

/** Returns the API's body of what was typed. */
export function bodyOf(values: Values, inputs: readonly WorkflowInput[]) {
  const checks = rowsIn(values[CHECKS]);
  return {
    validation: {
      required: checks.filter(({ required }) => required === true).map(({ path }) => path ?? ""),
      types: Object.fromEntries(
        checks.flatMap(({ path, type }) => (type === undefined ? [] : [[path ?? "", type]])),
      ),
      schema: values["validation.schema"] ?? null,
      maxBytes: values["validation.maxBytes"] ?? DEFAULT_MAX_BYTES,
    },
    mapping: {
      auto: values["mapping.auto"] === true,
      fields: rowsIn(values[FIELDS]).map((row) => fieldBody(row, inputs)),
    },
  };
}

function fieldBody(row: JsonObject, inputs: readonly WorkflowInput[]): JsonObject {
  const { to = "", in: part = "body", from = null, transforms = [], default: text } = row;
  const value = typedDefault(text, isText(to, inputs));
  return {
    to,
    ...(part !== "body" && { in: part }),
    from,
    transforms,
    ...(value !== undefined && { default: value }),
  };
}

/** Returns saved rules as their form shows them. */
export function shownRules(
  { required, types, ...validation }: ValidationRules,
  { fields, ...mapping }: Mapping,
  inputs: readonly WorkflowInput[],
): object {
  const paths = [...new Set([...required, ...Object.keys(types)])];
  return {
    validation: {
      ...validation,
      checks: paths.map((path) => ({
        path,
        required: required.includes(path),
        type: Object.hasOwn(types, path) ? types[path] : "",
      })),
    },
    mapping: {
      ...mapping,
      fields: fields.map(({ default: value = null, ...field }) => ({
        ...field,
        default: value === null ? null : shownDefault(value, isText(field.to, inputs)),
      })),
    },
  };
}

function isText(to: Json, inputs: readonly WorkflowInput[]): boolean {
  const type = inputs.find(({ name }) => name === to)?.type;
  return type === "string" || type === "timestamp";
}

/** A default is typed as text for an input of text, else as JSON where it is JSON. */
function shownDefault(value: Json, isOfText: boolean): string {
  if (typeof value !== "string") return JSON.stringify(value);
  const isPlain = value !== "" && (isOfText || !readJson(value).ok);
  return isPlain ? value : JSON.stringify(value);
}

function typedDefault(text: Json | undefined, isOfText: boolean): Json | undefined {
  if (typeof text !== "string" || text.trim() === "") return undefined;
  if (text === '""') return "";
  const read = isOfText ? null : readJson(text);
  return read?.ok ? read.value : text;
}

/** Moves the API's faults of required paths, types and a route's mapping to the controls of the form. */
export function atControls(faults: Faults, typed: Posted): Faults {
  const rows = typed.rows(CHECKS).map((at) => `${CHECKS}[${at}]`);
  const required = rows.filter((row) => typed.isOn(`${row}.required`));
  const ofTypes = new Map(
    rows.map((row) => [`validation.types.${typed.line(`${row}.path`)}`, row]),
  );
  const placed = [...faults].map(([path, text]): [string, string] => {
    const [, at] = /^validation\.required\[(\d+)\]/.exec(path) ?? [];
    const row = at === undefined ? ofTypes.get(path) : required[Number(at)];
    return [row ? `${row}.path` : path.replace(/^routing\.routes\[\d+\]\.(?=mapping)/, ""), text];
  });
  return new Map(placed);
}
