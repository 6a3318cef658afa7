import { INPUT_TYPES } from "../../../contract/workflow.ts";
import { Check, Input, RemoveRow, Select } from "../../components/fields.tsx";
import type { Faults } from "../../forms/faults.ts";
import { focusAttributes, type RowFocus } from "../../forms/row-focus.ts";
import type { InputRow } from "./draft.ts";

const TYPES = INPUT_TYPES.map((type) => ({ value: type, label: type }));

/** The list of inputs and its buttons, by which rows come and go without leaving the page. */
export function InputRows({
  rows,
  action,
  faults,
  focus,
}: {
  rows: readonly InputRow[];
  /** Where the form goes. */
  action: string;
  faults: Faults;
  focus: RowFocus | null;
}) {
  const error = faults.get("inputs");
  const swap = {
    "hx-post": action,
    "hx-target": "#inputs",
    "hx-select": "#inputs",
    "hx-swap": "outerHTML",
  };
  return (
    <fieldset id="inputs" class="rows">
      <legend>Inputs</legend>
      <p class="hint">
        What the prompt refers to as <code>{"{{name}}"}</code>. The values go to the agent as data
        beside the prompt, so a webhook's payload cannot give it orders.
      </p>
      {error !== undefined && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {rows.map((row, at) => (
        <Row row={row} at={at} faults={faults} swap={swap} focus={focusAttributes(focus, at)} />
      ))}
      <button
        type="submit"
        name="do"
        value="add-input"
        formnovalidate
        {...focusAttributes(focus, "add")}
        {...swap}
      >
        Add an input
      </button>
    </fieldset>
  );
}

function Row({
  row,
  at,
  faults,
  swap,
  focus,
}: {
  row: InputRow;
  at: number;
  faults: Faults;
  swap: Record<string, string>;
  focus: ReturnType<typeof focusAttributes>;
}) {
  const path = `inputs[${at}]`;
  const shown = row.name === "" ? `input ${at + 1}` : row.name;
  return (
    <fieldset class="row" aria-label={`Input ${at + 1}`}>
      <Input
        name={`${path}.name`}
        label="Name"
        value={row.name}
        faults={faults}
        more={{ maxlength: 64, ...focus }}
      />
      <Select name={`${path}.type`} label="Type" value={row.type} options={TYPES} faults={faults} />
      <Input
        name={`${path}.default`}
        label="Default"
        value={row.default}
        faults={faults}
        more={{ placeholder: "none" }}
      />
      <Input
        name={`${path}.description`}
        label="Description"
        value={row.description}
        faults={faults}
        more={{ maxlength: 1_000 }}
      />
      <div class="row-end">
        <Check name={`${path}.required`} label="Required" checked={row.required} />
        <RemoveRow action={`remove-input-${at}`} shown={shown} swap={swap} />
      </div>
    </fieldset>
  );
}
