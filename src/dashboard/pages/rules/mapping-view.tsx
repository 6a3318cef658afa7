import type { PayloadValue } from "../../../contract/webhooks/payload.ts";
import type { WorkflowInput } from "../../../contract/workflow.ts";
import type { Transformed } from "../../../intake/mapping/transforms/outcome.ts";
import { ToldList } from "../../components/elements.tsx";
import { type Faults, faultAt, NO_FAULTS } from "../../forms/errors.tsx";
import { Input, Select } from "../../forms/fields.tsx";
import { type Draft, type DraftField, FIELDS } from "./draft.ts";
import type { Results } from "./results.ts";
import { shortValue } from "./sample-view.tsx";
import { type Setting, TRANSFORMS, transformNamed } from "./transforms.ts";

/** What the parts of the editor show of a draft. */
export interface Shown {
  draft: Draft;
  inputs: readonly WorkflowInput[];
  faults: Faults;
  /** Null without a sample. */
  results: Results | null;
}

/** The fields of a mapping, each with the values on its way to its input. */
export function MappingView(shown: Shown) {
  const { draft, inputs, faults, results } = shown;
  const open = inputs.filter(({ name }) => !draft.fields.some(({ to }) => to === name));
  return (
    <section class="card" aria-labelledby="mapping-title">
      <h2 id="mapping-title">Mapping</h2>
      {draft.fields.length === 0 && (
        <p class="muted">
          No mapped values. Pick one in the request, and the input that it goes to.
        </p>
      )}
      {draft.fields.map((field, at) => (
        <Field field={field} at={at} shown={shown} />
      ))}
      {open.length > 0 && (
        <>
          <h3>Inputs without a mapped value</h3>
          <ul class="open-inputs">
            {open.map((input) => (
              <OpenInput input={input} at={inputs.indexOf(input)} shown={shown} />
            ))}
          </ul>
        </>
      )}
      <div class="check">
        <input type="checkbox" id="mapping.auto" name="mapping.auto" checked={draft.auto} />
        <label for="mapping.auto">Find other inputs by their names</label>
        <p class="hint">At any depth of the payload, in upper or lower case.</p>
      </div>
      <details class="sub" open={draft.emptyIsAbsent !== ""}>
        <summary>Empty texts</summary>
        <Select
          name="mapping.emptyIsAbsent"
          label="An empty text"
          value={draft.emptyIsAbsent}
          options={[
            { value: "", label: "takes the default in forms and queries" },
            { value: "true", label: "always takes the default" },
            { value: "false", label: "is a value" },
          ]}
          faults={faults}
        />
      </details>
      <div id="mapping-warnings" data-result>
        <ToldList lines={results?.warnings ?? []} />
      </div>
    </section>
  );
}

function typeText(input: WorkflowInput | undefined): string {
  if (input === undefined) return "not an input of the workflow";
  return `${input.type}${input.required ? ", required" : ""}`;
}

const PARTS = [
  { value: "body", label: "payload" },
  { value: "header", label: "header" },
  { value: "query", label: "query" },
];

function Field({ field, at, shown }: { field: DraftField; at: number; shown: Shown }) {
  const { inputs, faults, results } = shown;
  const path = `${FIELDS}[${at}]`;
  const input = inputs.find(({ name }) => name === field.to);
  const result = results?.fields[at];
  const trace = result?.ok ? result.trace : null;
  const fault = faultAt(faults, path)?.replaceAll(`${path}.`, "");
  return (
    <fieldset class="mapped" id={path}>
      <legend>
        <code>{field.to}</code> <span class="muted">{inputs.length > 0 && typeText(input)}</span>
      </legend>
      <input type="hidden" name={`${path}.to`} value={field.to} />
      <div class="fields source">
        <Select
          name={`${path}.in`}
          label="From"
          value={field.in}
          options={PARTS}
          faults={NO_FAULTS}
        />
        <Input
          name={`${path}.from`}
          label={field.in === "body" ? "Path" : "Name"}
          value={field.from}
          faults={NO_FAULTS}
          more={{ maxlength: 500, spellcheck: "false" }}
        />
      </div>
      <p class="step-value" id={`${path}.read`} data-result>
        {trace !== null && <Reading value={trace.read} />}
      </p>
      <ol class="transforms">
        {field.transforms.map(({ type, settings }, step) => (
          <Transform
            path={path}
            at={at}
            step={step}
            type={type}
            settings={settings}
            outcome={trace?.steps[step] ?? null}
          />
        ))}
      </ol>
      <div class="inline-form ends">
        <Select
          name={`${path}.add`}
          label="Add a transform"
          value=""
          options={[
            { value: "", label: "Choose" },
            ...Object.entries(TRANSFORMS).map(([value, { label }]) => ({ value, label })),
          ]}
          faults={NO_FAULTS}
        />
        <button type="submit" name="do" value={`addTransform-${at}`} formnovalidate>
          Add
        </button>
      </div>
      <Input
        name={`${path}.default`}
        label="Default"
        hint="Used if there is no value."
        value={field.default}
        faults={NO_FAULTS}
      />
      <div class="row-end">
        <output id={`${path}.result`} data-result>
          {fault !== undefined && <span class="error">{fault}</span>}
          {fault === undefined && <Result shown={shown} at={at} />}
        </output>
        <button
          type="submit"
          name="do"
          value={`removeField-${at}`}
          formnovalidate
          aria-label={`Remove ${field.to}`}
        >
          Remove
        </button>
      </div>
    </fieldset>
  );
}

/** The value that an input gets, or why it gets none. */
function Result({ shown: { draft, inputs, results }, at }: { shown: Shown; at: number }) {
  const result = results?.fields[at];
  const { to = "" } = draft.fields[at] ?? {};
  if (results === null || result === undefined) return null;
  if (!result.ok) return <span class="error">{result.message}</span>;
  const fault = results.faults.get(to);
  if (fault !== undefined) return <span class="error">{`${to} ${fault}`}</span>;
  if (Object.hasOwn(results.inputs, to)) {
    return (
      <>
        {`${to} = `}
        <code>{shortValue(results.inputs[to] ?? null)}</code>
      </>
    );
  }
  const { read, steps } = result.trace;
  const last = steps.at(-1);
  if (last?.ok === false) return <span class="error">{last.message}</span>;
  // Another field of the mapping fails, so that no input is known.
  const value = last === undefined ? read : last.value;
  const isInput = inputs.some(({ name }) => name === to);
  if (value === null)
    return <span class="muted">{isInput ? "no value" : "no value: left out"}</span>;
  return (
    <>
      {`${to} = `}
      <code>{shortValue(value)}</code>
    </>
  );
}

function Reading({ value }: { value: PayloadValue }) {
  if (value === null) return <span class="muted">no value in this request</span>;
  return (
    <>
      Value <code>{shortValue(value)}</code>
    </>
  );
}

function Transform({
  path,
  at,
  step,
  type,
  settings,
  outcome,
}: {
  path: string;
  at: number;
  step: number;
  type: string;
  settings: Record<string, string>;
  /** Null if the transform was not reached. */
  outcome: Transformed | null;
}) {
  const known = transformNamed(type);
  const place = `${path}.transforms[${step}]`;
  const label = known?.label ?? type;
  return (
    <li id={place}>
      <div class="row-end">
        <strong>{label}</strong>
        <button
          type="submit"
          name="do"
          value={`removeTransform-${at}-${step}`}
          formnovalidate
          aria-label={`Remove the transform: ${label}`}
        >
          Remove
        </button>
      </div>
      <input type="hidden" name={`${place}.type`} value={type} />
      {known !== null && known.settings.length > 0 && (
        <div class="fields source">
          {known.settings.map((setting) => (
            <SettingControl
              setting={setting}
              name={`${place}.${setting.name}`}
              value={settings[setting.name] ?? ""}
            />
          ))}
        </div>
      )}
      <p class="step-value" id={`${place}.value`} data-result>
        {outcome?.ok === true && (
          <>
            Result <code>{shortValue(outcome.value)}</code>
          </>
        )}
        {outcome?.ok === false && <span class="error">{outcome.message}</span>}
      </p>
    </li>
  );
}

function SettingControl({
  setting: { label, kind, options = [], hint },
  name,
  value,
}: {
  setting: Setting;
  name: string;
  value: string;
}) {
  const common = { name, label, hint, faults: NO_FAULTS };
  if (kind === "select") return <Select {...common} value={value} options={options} />;
  if (kind === "check") {
    return (
      <div class="check">
        <input type="checkbox" id={name} name={name} checked={value !== ""} />
        <label for={name}>{label}</label>
      </div>
    );
  }
  return <Input {...common} value={value} more={{ spellcheck: "false" }} />;
}

/** An input that is found by its name, or not at all. */
function OpenInput({
  input,
  at,
  shown: { draft, results },
}: {
  input: WorkflowInput;
  at: number;
  shown: Shown;
}) {
  const { name } = input;
  const fault = results?.faults.get(name);
  const value =
    results !== null && Object.hasOwn(results.inputs, name) ? results.inputs[name] : undefined;
  return (
    <li>
      <code>{name}</code> <span class="muted">{typeText(input)}</span>
      <output id={`open-${name}`} data-result>
        {fault !== undefined && <span class="error">{fault}</span>}
        {value !== undefined && <code>{shortValue(value)}</code>}
        {fault === undefined && value === undefined && (
          <span class="muted">{draft.auto ? "not found by name" : "no value"}</span>
        )}
      </output>
      <button
        type="submit"
        name="do"
        value={`mapInput-${at}`}
        formnovalidate
        aria-label={`Map ${name}`}
      >
        Map
      </button>
    </li>
  );
}
