import * as z from "zod";
import type { JsonObject } from "../../../contract/json.ts";
import { mappingBody } from "../../../contract/webhooks/mapping.ts";
import { routeBody } from "../../../contract/webhooks/routing.ts";
import {
  DEFAULT_MAX_BYTES,
  payloadType,
  validationBody,
} from "../../../contract/webhooks/validation.ts";
import type { WorkflowInput } from "../../../contract/workflow.ts";
import { isObject } from "../../../lib/json-values.ts";
import type { Faults } from "../../forms/errors.tsx";
import { type Fields, type Form, optionsOf, type Values } from "../../forms/form.ts";
import { CONDITIONS, REQUEST_PARTS, type Route, typedRoute } from "./route-form.ts";

/** The name of the list of fields, which is its path in the API's errors. */
const FIELDS = "mapping.fields";

const rules = z.object({
  validation: validationBody,
  mapping: mappingBody,
  /** The route that has the mapping, on an endpoint with routes. */
  route: routeBody.optional(),
});
export type Rules = z.output<typeof rules>;

/** A stored route, and the controls that change it. */
export interface EditedRoute {
  stored: Route;
  fields: Fields;
}

/**
 * Returns the form of an endpoint's validation and mapping, to these inputs where they are known, and of the
 * route that has the mapping. What no control shows stays as it is saved.
 */
export function rulesForm(
  inputs: readonly WorkflowInput[],
  saved: Pick<Rules, "validation" | "mapping">,
  route: EditedRoute | null = null,
): Form<typeof rules> {
  const names = inputs.map(({ name }) => name);
  return {
    schema: rules,
    fields: {
      ...route?.fields,
      [FIELDS]: {
        kind: "rows",
        label: "Mapped values",
        hint: "The path of a value in the request, and the input that it goes to.",
        one: "value",
        keepsBlank: true,
        fields: {
          from: { kind: "line", label: "Path or name", more: { spellcheck: "false" } },
          in: { kind: "select", label: "From", options: REQUEST_PARTS },
          to:
            names.length === 0
              ? { kind: "line", label: "Input" }
              : { kind: "select", label: "Input", options: optionsOf(names) },
          default: {
            kind: "json",
            label: "Default",
            hint: "JSON that is used if there is no value.",
            more: { rows: 1 },
          },
          transforms: {
            kind: "json",
            label: "Transforms",
            hint: 'Such as [{"type": "trim"}, {"type": "number"}], in order.',
            more: { rows: 1 },
          },
        },
      },
      "mapping.auto": {
        kind: "check",
        label: "Find other inputs by their names",
        hint: "At any depth of the payload, in upper or lower case.",
      },
      "validation.required": {
        kind: "lines",
        label: "Required paths",
        hint: "One per line.",
        more: { rows: 3 },
      },
      "validation.types": {
        kind: "json",
        label: "Types",
        hint: `By paths, such as {"order.total": "number"}: ${payloadType.options.join(", ")}.`,
        more: { rows: 3 },
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
      const {
        required = [],
        types = {},
        schema = null,
        maxBytes = DEFAULT_MAX_BYTES,
      } = rulesIn(values, "validation");
      const mapping = { ...saved.mapping, ...mappingOf(values) };
      return {
        validation: { ...saved.validation, required, types, schema, maxBytes },
        mapping,
        ...(route !== null && { route: typedRoute(values, route.stored, mapping) }),
      };
    },
  };
}

/** Returns the values below this path, by the rest of their names. */
function rulesIn(values: Values, path: string): Values {
  const below = Object.entries(values).filter(([name]) => name.startsWith(`${path}.`));
  return Object.fromEntries(below.map(([name, value]) => [name.slice(path.length + 1), value]));
}

/** Returns the mapping that was typed, as the API has it. */
export function mappingOf(values: Values): { auto: boolean; fields: JsonObject[] } {
  const rows = [values[FIELDS] ?? []].flat().filter(isObject);
  return {
    auto: values["mapping.auto"] === true,
    fields: rows.map(({ in: part, from = null, ...row }) => ({
      ...row,
      ...(part !== "body" && part !== undefined && { in: part }),
      from,
    })),
  };
}

/** Moves the API's faults of a route and its mapping to the controls of the form. */
export function atControls(faults: Faults): Faults {
  const placed = [...faults].map(([path, text]): [string, string] => [
    path
      .replace(/^routing\.routes\[\d+\]/, "route")
      .replace(/^route\.(?=mapping)/, "")
      .replace(/^route\.when.*/, CONDITIONS)
      .replace(/^route\.key.*/, "route.key"),
    text,
  ]);
  return new Map(placed);
}
