import type { Child } from "hono/jsx";
import type { PayloadValue } from "../../../contract/webhooks/payload.ts";
import type { WorkflowInput } from "../../../contract/workflow.ts";
import { exactText } from "../../../lib/json-values.ts";
import { ToldList } from "../../components/elements.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { Control, Controls, isAnyFaulty, Select } from "../../forms/fields.tsx";
import { type FormState, isSet } from "../../forms/form.ts";
import type { Results } from "./results.ts";
import { FIELDS, PATHS } from "./rules-form.ts";
import { pathsIn, type Samples } from "./samples.ts";

/** The request whose values the rules are tried on, and the paths that the controls suggest. */
export function SampleView({ samples: { chosen, options, sample } }: { samples: Samples }) {
  return (
    <section class="card" aria-labelledby="sample-title">
      <h2 id="sample-title">Request</h2>
      <div class="inline-form ends">
        <Select
          name="sample"
          label="Values of"
          value={chosen}
          options={options}
          more={{ "data-renew": "sample" }}
        />
        {/* With scripts, the list itself shows what is chosen. */}
        <noscript>
          <button type="submit" name="do" value="sample" formnovalidate>
            Show
          </button>
        </noscript>
      </div>
      {sample === null ? (
        <p class="muted">This request is not stored whole or cannot be parsed. Choose another.</p>
      ) : (
        <>
          <JsonView value={sample.payload} />
          <details>
            <summary>Headers and query</summary>
            <JsonView value={Object.fromEntries(sample.sources.headers)} />
            <JsonView value={Object.fromEntries(sample.sources.query)} />
          </details>
          <datalist id={PATHS}>
            {pathsIn(sample.payload).map((path) => (
              <option value={path} />
            ))}
          </datalist>
        </>
      )}
    </section>
  );
}

/** The fields of a mapping, each with what it makes of the sample, and the rules for payloads. */
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
        <Control of={{ ...of, notes: notesOf(mapped, results) }} name={FIELDS} />
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
        <div id="mapping-warnings" data-result>
          <ToldList lines={results?.warnings ?? []} />
        </div>
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

/** The value of an input, or why it has none. */
function Found({ name, results }: { name: string; results: Results | null }) {
  const fault = results?.faults.get(name);
  const value = results?.inputs.get(name) ?? null;
  if (fault !== undefined) return <span class="error">{fault}</span>;
  return value === null ? <span class="muted">no value</span> : <code>{shortValue(value)}</code>;
}

/** Returns what each field makes of the sample, by the paths of their rows. */
function notesOf(mapped: readonly string[], results: Results | null): ReadonlyMap<string, Child> {
  const notes = (results?.fields ?? []).map((result, at): [string, Child] => {
    const path = `${FIELDS}[${at}]`;
    if (!result.ok) return [path, <span class="error">{result.message}</span>];
    return [
      path,
      <>
        <code>{shortValue(result.value)}</code>
        {` → ${mapped[at]} `}
        <Found name={mapped[at] ?? ""} results={results} />
      </>,
    ];
  });
  return new Map(notes);
}

/** Writes a value in one line, cut. */
function shortValue(value: PayloadValue): string {
  const text = exactText(value);
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}
