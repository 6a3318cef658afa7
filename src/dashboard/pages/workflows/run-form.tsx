import type { WorkflowInput, WorkflowRecord } from "../../../contract/workflow.ts";
import { Area, Input, Select } from "../../components/fields.tsx";
import { Refused } from "../../components/refused.tsx";
import { type Faults, NO_FAULTS, type Refusal } from "../../forms/faults.ts";
import { jsonText } from "../../forms/json.ts";
import { controlOf, type TypedInputs } from "./run-inputs.ts";

/** The form that runs a workflow, made from its inputs. */
export function RunForm({
  workflow: { workflowId, inputs },
  typed,
  refusal,
  runKey,
}: {
  workflow: WorkflowRecord;
  typed: TypedInputs;
  refusal: Refusal | null;
  /** Makes of a form that is sent twice one run. */
  runKey: string;
}) {
  const faults = refusal?.faults ?? NO_FAULTS;
  const labels = Object.fromEntries(inputs.map(({ name }) => [controlOf(name), name]));
  return (
    <form
      method="post"
      action={`/dashboard/workflows/${workflowId}/run`}
      class="card"
      aria-labelledby="run"
    >
      <h2 id="run">Run it</h2>
      <Refused refusal={refusal} shown={(name) => Object.hasOwn(labels, name)} labels={labels} />
      <input type="hidden" name="runKey" value={runKey} />
      <div class="fields">
        {inputs.map((input) => (
          <Control input={input} text={typed.get(input.name) ?? ""} faults={faults} />
        ))}
      </div>
      {inputs.length === 0 && <p class="muted">This workflow has no inputs.</p>}
      <button type="submit" class="primary">
        Run
      </button>
    </form>
  );
}

interface ControlProps {
  input: WorkflowInput;
  text: string;
  faults: Faults;
}

/** The control that suits an input's type. */
function Control({ input, text, faults }: ControlProps) {
  const { name, type, required, default: standard } = input;
  const more = { required: required && standard === null };
  const common = {
    name: controlOf(name),
    label: `${name}${more.required ? " *" : ""}${type === "timestamp" ? " (UTC)" : ""}`,
    hint: hintOf(input),
    faults,
  };
  switch (type) {
    case "string":
      return <Area {...common} value={text} more={{ ...more, class: "line", rows: 1 }} />;
    case "number":
      return <Input {...common} value={text} type="number" more={{ ...more, step: "any" }} />;
    case "integer":
      return <Input {...common} value={text} type="number" more={{ ...more, step: 1 }} />;
    case "timestamp":
      return <Input {...common} value={text} type="datetime-local" more={{ ...more, step: 1 }} />;
    case "boolean":
      return <Select {...common} value={text} options={YES_OR_NO} more={more} />;
    default:
      return <Area {...common} value={text} code more={more} />;
  }
}

const YES_OR_NO = [
  { value: "", label: "–" },
  { value: "true", label: "true" },
  { value: "false", label: "false" },
];

const KINDS: Partial<Record<WorkflowInput["type"], string>> = {
  integer: "A whole number.",
  number: "A number.",
  object: "A JSON object.",
  array: "A JSON array.",
};

function hintOf({ type, default: standard, description }: WorkflowInput): string | undefined {
  const shown = typeof standard === "string" ? standard : standard && jsonText(standard);
  const fallback = standard === null ? "" : `Left empty: ${shown ?? standard}`;
  const hint = [description, KINDS[type] ?? "", fallback].filter((part) => part !== "").join(" · ");
  return hint === "" ? undefined : hint;
}
