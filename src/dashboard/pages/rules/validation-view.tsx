import * as z from "zod";
import { payloadType } from "../../../contract/webhooks/validation.ts";
import type { Faults } from "../../forms/errors.tsx";
import { Control, Controls, isAnyFaulty } from "../../forms/fields.tsx";
import { type Form, isSet, shownForm } from "../../forms/form.ts";
import { CHECKS, type Draft, type DraftCheck } from "./draft.ts";

const FORM: Form = {
  schema: z.unknown(),
  fields: {
    [CHECKS]: {
      kind: "rows",
      label: "Rules",
      one: "rule",
      fields: {
        path: { kind: "line", label: "Path", more: { maxlength: 500, spellcheck: "false" } },
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
      kind: "code",
      label: "JSON Schema",
      hint: "Draft 2020-12. Leave empty for none.",
      more: { rows: 10 },
    },
    "validation.formats": {
      kind: "select",
      label: "Formats of the schema",
      options: [
        { value: "", label: "are rules" },
        { value: "assert", label: "are rules (assert)" },
        { value: "annotate", label: "are annotations" },
      ],
    },
    "validation.maxBytes": { kind: "number", label: "Maximum body size (bytes)" },
  },
};

/** The rules for payloads. */
export function ValidationView({ draft, faults }: { draft: Draft; faults: Faults }) {
  const shown = draft.checks.flatMap((check, at) => {
    const fault = faultOf(check, draft, faults);
    return fault === undefined ? [] : [[`${CHECKS}[${at}].path`, fault] as const];
  });
  const refusal = { status: 400, message: "", faults: new Map([...faults, ...shown]) } as const;
  const of = { ...shownForm(FORM, { validation: draft }), refusal };
  const isOpen = isSet(of, "validation.schema") || isAnyFaulty(of, ["validation.schema"]);
  return (
    <section class="card" aria-labelledby="validation-title">
      <h2 id="validation-title">Validation</h2>
      <p class="muted">Requests that break a rule are rejected with 422.</p>
      <Control of={of} name={CHECKS} />
      <details class="sub" open={isOpen}>
        <summary>JSON Schema and size</summary>
        <Control of={of} name="validation.schema" />
        <Controls of={of} names={["validation.formats", "validation.maxBytes"]} />
      </details>
    </section>
  );
}

/** The API's errors count the required paths. */
function faultOf({ path }: DraftCheck, { checks }: Draft, faults: Faults): string | undefined {
  const required = checks.filter((check) => check.required && check.path !== "");
  const at = required.findIndex((check) => check.path === path);
  return faults.get(`validation.required[${at}]`) ?? faults.get(`validation.types.${path}`);
}
