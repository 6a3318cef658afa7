import type { Json, JsonObject } from "../../../contract/json.ts";
import type { WorkflowInput } from "../../../contract/workflow.ts";
import type { Faults } from "../../forms/faults.ts";
import { typedJson } from "../../forms/json.ts";
import type { Posted } from "../../forms/posted.ts";

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
