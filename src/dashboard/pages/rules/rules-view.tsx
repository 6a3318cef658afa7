import type { WorkflowInput } from "../../../contract/workflow.ts";
import { JsonView } from "../../components/json-view.tsx";
import { Control, Controls, isAnyFaulty } from "../../forms/fields.tsx";
import { type FormState, isSet, typedValues } from "../../forms/form.ts";
import { mappingOf, PATHS } from "./rules-form.ts";
import { pathsIn, type Sample } from "./samples.ts";

/** The request whose values are mapped, and the paths that the controls suggest. */
export function SampleView({ sample: { requestId, payload, headers, query } }: { sample: Sample }) {
  return (
    <section class="card" aria-labelledby="sample-title">
      <h2 id="sample-title">Request</h2>
      <p class="muted">{requestId ?? "A sample of the sender"}</p>
      {payload === undefined ? (
        <p class="muted">This request is not stored whole or cannot be parsed.</p>
      ) : (
        <>
          <JsonView value={payload} />
          <datalist id={PATHS}>
            {pathsIn(payload).map((path) => (
              <option value={path} />
            ))}
          </datalist>
        </>
      )}
      <details>
        <summary>Headers and query</summary>
        <JsonView value={headers} />
        <JsonView value={query} />
      </details>
    </section>
  );
}

/** The fields of a mapping, the inputs that have none, and the rules for payloads. */
export function RulesView({ of, inputs }: { of: FormState; inputs: readonly WorkflowInput[] }) {
  const { fields } = mappingOf(typedValues(of));
  const open = inputs.filter(({ name }) => fields.every(({ to }) => to !== name));
  const hasSchema = isSet(of, "validation.schema") || isAnyFaulty(of, ["validation.schema"]);
  return (
    <div>
      <section class="card" aria-labelledby="mapping-title">
        <h2 id="mapping-title">Mapping</h2>
        <Control of={of} name="mapping.fields" />
        {open.length > 0 && (
          <p class="hint" id="open-inputs">
            {"Inputs without a mapped value: "}
            {open.map(({ name, required }) => (required ? `${name} (required)` : name)).join(", ")}.
          </p>
        )}
        <Control of={of} name="mapping.auto" />
      </section>
      <section class="card" aria-labelledby="validation-title">
        <h2 id="validation-title">Validation</h2>
        <p class="muted">Requests that break a rule are rejected with 422.</p>
        <Controls of={of} names={["validation.required", "validation.types"]} />
        <details class="sub" open={hasSchema}>
          <summary>JSON Schema and size</summary>
          <Control of={of} name="validation.schema" />
          <Controls of={of} names={["validation.maxBytes"]} />
        </details>
      </section>
    </div>
  );
}
