import type { Json, JsonObject } from "../../../contract/json.ts";
import type { WorkflowInput, WorkflowRecord } from "../../../contract/workflow.ts";
import { type Faults, NO_FAULTS, type Refusal, Refused } from "../../forms/errors.tsx";
import { Area, Input, Select } from "../../forms/fields.tsx";
import { jsonText, type Posted, typedJson } from "../../forms/posted.ts";

/** What was typed for a run, by the inputs' names. */
export type TypedInputs = ReadonlyMap<string, string>;

/** The name of an input's control, which is the path of what the API says against it. */
export const controlOf = (input: string): string => `inputs.${input}`;

/** What was typed into the controls of these inputs. */
export function typedInputs(posted: Posted, inputs: readonly WorkflowInput[]): TypedInputs {
  return new Map(inputs.map(({ name }) => [name, posted.text(controlOf(name))]));
}

/** The values of a run; an input whose control is empty is left out, for its default to fill. */
export function valuesOf(
  inputs: readonly WorkflowInput[],
  typed: TypedInputs,
): { values: JsonObject; faults: Faults } {
  const values: [string, Json][] = [];
  const faults = new Map<string, string>();
  for (const input of inputs) {
    const text = typed.get(input.name) ?? "";
    if (text === "") continue;
    const read = READ[input.type](text);
    if (read.ok) values.push([input.name, read.value]);
    else faults.set(controlOf(input.name), read.message);
  }
  return { values: Object.fromEntries(values), faults };
}

type Read = ReturnType<typeof typedJson>;

const READ: Record<WorkflowInput["type"], (text: string) => Read> = {
  string: (text) => ({ ok: true, value: text }),
  number: numberOf,
  integer: numberOf,
  boolean: (text) => ({ ok: true, value: text === "true" }),
  timestamp: (text) => ({ ok: true, value: withOffset(text) }),
  object: typedJson,
  array: typedJson,
};

function numberOf(text: string): Read {
  const number = Number(text);
  if (text.trim() !== "" && Number.isFinite(number)) return { ok: true, value: number };
  return { ok: false, message: "Must be a number." };
}

/** A browser's control for a time knows no zone; the form says that it is read as UTC. */
function withOffset(text: string): string {
  const [, minutes, seconds = ":00"] =
    /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2})(:\d{2}(?:\.\d{1,3})?)?$/.exec(text) ?? [];
  return minutes === undefined ? text : `${minutes}${seconds}Z`;
}

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
