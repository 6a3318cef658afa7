import type { Child } from "hono/jsx";
import type { WorkflowInput } from "../../../contract/workflow.ts";
import { ToldList } from "../../components/elements.tsx";
import { Control, Controls, isAnyFaulty } from "../../forms/fields.tsx";
import { type FormState, isSet } from "../../forms/form.ts";
import type { Results } from "./results.ts";
import { CHECKS, FIELDS } from "./rules-form.ts";
import { shortValue } from "./sample-view.tsx";

/** The fields of a mapping, each with the values on its way to its input, and the rules for payloads. */
export function RulesView({
  of,
  inputs,
  mapped,
  results,
}: {
  of: FormState;
  inputs: readonly WorkflowInput[];
  /** The inputs to which a value is mapped, in the order of the fields. */
  mapped: readonly string[];
  /** Null without a sample. */
  results: Results | null;
}) {
  const open = inputs.filter(({ name }) => !mapped.includes(name));
  const hasSchema = isSet(of, "validation.schema") || isAnyFaulty(of, ["validation.schema"]);
  return (
    <div>
      <section class="card" aria-labelledby="mapping-title">
        <h2 id="mapping-title">Mapping</h2>
        <Control of={{ ...of, notes: notesOf(mapped, inputs, results) }} name={FIELDS} />
        {open.length > 0 && (
          <>
            <h3>Inputs without a mapped value</h3>
            <ul class="open-inputs">
              {open.map(({ name, type, required }) => (
                <li>
                  <code>{name}</code>{" "}
                  <span class="muted">{`${type}${required ? ", required" : ""}`}</span>
                  <output id={`open-${name}`} data-result>
                    <Found name={name} results={results} />
                  </output>
                </li>
              ))}
            </ul>
          </>
        )}
        <Control of={of} name="mapping.auto" />
        <Control of={of} name="mapping.emptyIsAbsent" />
        <div id="mapping-warnings" data-result>
          <ToldList lines={results?.warnings ?? []} />
        </div>
      </section>
      <section class="card" aria-labelledby="validation-title">
        <h2 id="validation-title">Validation</h2>
        <p class="muted">Requests that break a rule are rejected with 422.</p>
        <Control of={of} name={CHECKS} />
        <details class="sub" open={hasSchema}>
          <summary>JSON Schema and size</summary>
          <Control of={of} name="validation.schema" />
          <Controls of={of} names={["validation.formats", "validation.maxBytes"]} />
        </details>
      </section>
    </div>
  );
}

/** The value of an input that is found by its name, or why it has none. */
function Found({ name, results }: { name: string; results: Results | null }) {
  const fault = results?.faults.get(name);
  if (fault !== undefined) return <span class="error">{fault}</span>;
  if (results === null || !Object.hasOwn(results.inputs, name)) {
    return <span class="muted">no value</span>;
  }
  return <code>{shortValue(results.inputs[name] ?? null)}</code>;
}

/** Returns what each field and each transform makes of the sample, by the paths of their rows. */
function notesOf(
  mapped: readonly string[],
  inputs: readonly WorkflowInput[],
  results: Results | null,
): ReadonlyMap<string, Child> {
  const notes = new Map<string, Child>();
  for (const [at, result] of (results?.fields ?? []).entries()) {
    const path = `${FIELDS}[${at}]`;
    const to = mapped[at] ?? "";
    if (!result.ok) {
      notes.set(path, <span class="error">{result.message}</span>);
      continue;
    }
    const { read, steps } = result.trace;
    for (const [step, outcome] of steps.entries()) {
      notes.set(
        `${path}.transforms[${step}]`,
        outcome.ok ? (
          <code>{shortValue(outcome.value)}</code>
        ) : (
          <span class="error">{outcome.message}</span>
        ),
      );
    }
    const fault = results?.faults.get(to);
    const last = steps.at(-1);
    // Where another field fails, no input is known: the last value on the way stands for it.
    const found =
      results !== null && Object.hasOwn(results.inputs, to)
        ? (results.inputs[to] ?? null)
        : last?.ok === false
          ? null
          : (last?.value ?? read);
    const none = inputs.some(({ name }) => name === to) ? "no value" : "no value: left out";
    notes.set(
      path,
      <>
        <code>{shortValue(read)}</code>
        {" → "}
        {fault !== undefined ? (
          <span class="error">{`${to} ${fault}`}</span>
        ) : found === null ? (
          <span class="muted">{none}</span>
        ) : (
          <>
            {`${to} = `}
            <code>{shortValue(found)}</code>
          </>
        )}
      </>,
    );
  }
  return notes;
}
