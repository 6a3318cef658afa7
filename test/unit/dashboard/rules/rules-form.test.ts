import { describe, expect, it } from "vitest";
import type { Json } from "../../../../src/contract/json.ts";
import { type Mapping, mappingBody, transform } from "../../../../src/contract/webhooks/mapping.ts";
import { validationBody } from "../../../../src/contract/webhooks/validation.ts";
import type { InputType, WorkflowInput } from "../../../../src/contract/workflow.ts";
import { shownForm, typedValues } from "../../../../src/dashboard/forms/form.ts";
import { mappingOf, rulesForm } from "../../../../src/dashboard/pages/rules/rules-form.ts";

const NO_RULES = validationBody.parse({});

/** Settings of each type, none of them a default. */
const SETTINGS: Record<string, object> = {
  timestamp: { from: "epoch_ms", to: "date", timeZone: "Asia/Tokyo" },
  domain: { level: "host" },
  unit: { from: "minor", to: "major", currency: "USD" },
  replace: { search: " a", with: "", pattern: true },
  split: { separator: " " },
  join: { separator: "" },
  template: { template: " {{value}} " },
  jsonata: { expression: "$ + 1" },
};

const input = (type: InputType) => [
  { name: "a", type, required: false, default: null, description: "" },
];

/** Returns a mapping as the editor sends it that nobody has changed. */
function unchanged(mapping: Mapping, inputs: WorkflowInput[]) {
  const form = rulesForm(inputs, { validation: NO_RULES, mapping });
  const state = shownForm(form, { validation: NO_RULES, mapping });
  return mappingBody.parse(mappingOf(typedValues(state)));
}

describe("the editor of rules", () => {
  it.each(transform.options.map(({ shape }) => shape.type.value))(
    "keeps the settings of the transform %s",
    (type) => {
      const fields = [{ to: "a", from: "b", transforms: [{ type, ...SETTINGS[type] }] }];
      const mapping = mappingBody.parse({ fields });
      expect(unchanged(mapping, [])).toEqual(mapping);
    },
  );

  it.each<[InputType | null, Json]>([
    ["string", "plain"],
    ["string", "12"],
    ["string", ""],
    ["timestamp", "2026-01-31T09:30:00Z"],
    ["number", 12.5],
    ["boolean", false],
    ["array", [1, "a"]],
    ["object", { a: null }],
    [null, "12"],
    [null, 12],
    [null, "plain"],
    [null, "true"],
    [null, ""],
  ])("keeps a default for an input of type %s: %j", (type, value) => {
    const inputs = type === null ? [] : input(type);
    const mapping = mappingBody.parse({ fields: [{ to: "a", from: "b", default: value }] });
    expect(unchanged(mapping, inputs)).toEqual(mapping);
  });
});
