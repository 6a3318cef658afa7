import { payloadType } from "../../../contract/inbound/validation.ts";
import { type Faults, faultAt, NO_FAULTS } from "../../forms/errors.tsx";
import { Area, Input, Select } from "../../forms/fields.tsx";
import { CHECKS, type Draft, type DraftCheck } from "./draft.ts";

const TYPES = [
  { value: "", label: "any type" },
  ...payloadType.options.map((value) => ({ value, label: value })),
];

/** The rules for payloads. */
export function ValidationView({ draft, faults }: { draft: Draft; faults: Faults }) {
  return (
    <section class="card" aria-labelledby="validation-title">
      <h2 id="validation-title">Validation</h2>
      <p class="muted">Requests that break a rule are rejected with 422.</p>
      {draft.checks.map((check, at) => (
        <Check check={check} at={at} fault={faultOf(check, draft, faults)} />
      ))}
      <p>
        <button type="submit" name="do" value="addCheck" id="add-check" formnovalidate>
          Add rule
        </button>
      </p>
      <details
        class="sub"
        open={draft.schema !== "" || faultAt(faults, "validation.schema") !== undefined}
      >
        <summary>JSON Schema and size</summary>
        <Area
          name="validation.schema"
          label="JSON Schema"
          hint="Draft 2020-12. Leave empty for none."
          value={draft.schema}
          code={true}
          faults={faults}
          more={{ rows: 10 }}
        />
        <div class="fields">
          <Select
            name="validation.formats"
            label="Formats of the schema"
            value={draft.formats}
            options={[
              { value: "", label: "are rules" },
              { value: "assert", label: "are rules (assert)" },
              { value: "annotate", label: "are annotations" },
            ]}
            faults={faults}
          />
          <Input
            name="validation.maxBytes"
            label="Maximum body size (bytes)"
            type="number"
            value={draft.maxBytes}
            faults={faults}
          />
        </div>
      </details>
    </section>
  );
}

/** The API's errors count the required paths. */
function faultOf({ path }: DraftCheck, { checks }: Draft, faults: Faults): string | undefined {
  const required = checks.filter((check) => check.isRequired && check.path !== "");
  const at = required.findIndex((check) => check.path === path);
  return faults.get(`validation.required[${at}]`) ?? faults.get(`validation.types.${path}`);
}

function Check({
  check: { path, isRequired, type },
  at,
  fault,
}: {
  check: DraftCheck;
  at: number;
  fault: string | undefined;
}) {
  const name = `${CHECKS}[${at}]`;
  return (
    <fieldset class="row" aria-label={`Rule ${at + 1}`}>
      <Input
        name={`${name}.path`}
        label="Path"
        value={path}
        faults={fault === undefined ? NO_FAULTS : new Map([[`${name}.path`, fault]])}
        more={{ maxlength: 500, spellcheck: "false" }}
      />
      <Select name={`${name}.type`} label="Type" value={type} options={TYPES} faults={NO_FAULTS} />
      <div class="row-end">
        <div class="check">
          <input
            type="checkbox"
            id={`${name}.required`}
            name={`${name}.required`}
            checked={isRequired}
          />
          <label for={`${name}.required`}>Required</label>
        </div>
        <button
          type="submit"
          name="do"
          value={`removeCheck-${at}`}
          formnovalidate
          aria-label={`Remove rule ${path || at + 1}`}
        >
          Remove
        </button>
      </div>
    </fieldset>
  );
}
