import * as z from "zod";
import { transform } from "../../../contract/webhooks/mapping.ts";
import { wordsOf } from "../../format.ts";
import { bare, type Field, type Fields, type Option } from "../../forms/form.ts";

const TYPE: Field = {
  kind: "select",
  label: "Transform",
  options: [
    { value: "", label: "Choose" },
    ...transform.options.map(({ shape: { type } }) => ({
      value: type.value,
      label: `${type.value}: ${type.description}`,
    })),
  ],
  // Each type has settings of its own.
  more: { "data-renew": "sample" },
};

/** Returns the controls of a transform: its type, and its settings as its schema has them. */
export function transformFields(type: string): Fields {
  const known = transform.options.find(({ shape }) => shape.type.value === type);
  const settings = Object.entries(known?.shape ?? {}).filter(([name]) => name !== "type");
  return {
    type: TYPE,
    ...Object.fromEntries(settings.map(([name, schema]) => [name, fieldOf(name, schema)])),
  };
}

function fieldOf(name: string, schema: z.ZodType): Field {
  const inner = bare(schema);
  const label = wordsOf(name, true);
  const hint = schema.description?.replaceAll("`", "");
  if (inner instanceof z.ZodBoolean) return { kind: "check", label, hint };
  if (inner instanceof z.ZodEnum) {
    return { kind: "select", label, options: inner.options.map(optionOf) };
  }
  const initial = schema instanceof z.ZodDefault ? String(schema.def.defaultValue) : undefined;
  // A text that may be empty is one, and not the default.
  const keepsEmpty = initial !== undefined && inner instanceof z.ZodString && !inner.minLength;
  const more = { required: false, spellcheck: "false" };
  return { kind: "raw", label, hint, initial, required: keepsEmpty, more };
}

function optionOf(value: string | number): Option {
  return { value: String(value), label: String(value).replaceAll("_", " ") };
}
