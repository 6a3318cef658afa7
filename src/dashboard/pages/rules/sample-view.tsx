import type { PayloadValue } from "../../../contract/webhooks/payload.ts";
import type { WorkflowInput } from "../../../contract/workflow.ts";
import { pathText } from "../../../intake/mapping/payload-path.ts";
import { exactText } from "../../../lib/json-values.ts";
import { Input, Select } from "../../forms/fields.tsx";
import type { Sample, Samples } from "./results.ts";

/** The most values that are offered, and of one list. */
const MAX_VALUES = 400;
const MAX_ITEMS = 5;
const MAX_LEVELS = 12;

/** Writes a value in one line, cut. */
export function shortValue(value: PayloadValue): string {
  return cut(exactText(value), 80);
}

const cut = (text: string, most: number): string =>
  text.length > most ? `${text.slice(0, most - 1)}…` : text;

/** The values of a request to pick from, and what to do with the picked one. */
export function SampleView({
  samples: { chosen, options, sample },
  mapped,
  inputs,
  picked,
}: {
  samples: Samples;
  /** The inputs to which a value is mapped. */
  mapped: readonly string[];
  inputs: readonly WorkflowInput[];
  picked: string;
}) {
  return (
    <section class="card picker" aria-labelledby="pick-title">
      <h2 id="pick-title" tabindex={-1}>
        Request
      </h2>
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
          <Values sample={sample} picked={picked} />
          <Actions mapped={mapped} inputs={inputs} />
        </>
      )}
    </section>
  );
}

function Values({ sample: { payload, sources }, picked }: { sample: Sample; picked: string }) {
  const left = { count: MAX_VALUES };
  return (
    <fieldset class="sample-values">
      <legend>Pick a value</legend>
      <ul>
        <Value name="Whole payload" path={[]} value={payload} picked={picked} left={left} />
      </ul>
      <Rest left={left} />
      <Pairs title="Headers" part="header" pairs={[...sources.headers]} picked={picked} />
      <Pairs title="Query" part="query" pairs={[...sources.query]} picked={picked} />
    </fieldset>
  );
}

/** Says that a payload has more values than are offered, once all of those are shown. */
function Rest({ left }: { left: { count: number } }) {
  if (left.count > 0) return null;
  return <p class="hint">{`The first ${MAX_VALUES} values. Type the path of another one.`}</p>;
}

/** A value with those within it, as options. */
function Value({
  name,
  path,
  value,
  picked,
  left,
}: {
  name: string;
  path: (string | number)[];
  value: PayloadValue;
  picked: string;
  left: { count: number };
}) {
  if (left.count <= 0) return null;
  left.count -= 1;
  const inner = path.length < MAX_LEVELS ? membersOf(value) : [];
  const option = path.length === 0 ? "body $" : `body ${pathText(path)}`;
  return (
    <li>
      <Option name={name} option={option} picked={picked} value={value} />
      {inner.length > 0 && (
        <ul>
          {inner.map(([step, item]) => (
            <Value
              name={typeof step === "number" ? `[${step}]` : step}
              path={[...path, step]}
              value={item}
              picked={picked}
              left={left}
            />
          ))}
        </ul>
      )}
    </li>
  );
}

/** Returns the members that a path can name; of a list, the first ones. */
function membersOf(value: PayloadValue): [string | number, PayloadValue][] {
  if (value === null || typeof value !== "object") return [];
  if (Array.isArray(value)) return value.slice(0, MAX_ITEMS).map((item, at) => [at, item]);
  return Object.entries(value).filter(([name]) => name !== "");
}

function Pairs({
  title,
  part,
  pairs,
  picked,
}: {
  title: string;
  part: string;
  pairs: [string, string][];
  picked: string;
}) {
  if (pairs.length === 0) return null;
  return (
    <details open={picked.startsWith(`${part} `)}>
      <summary>{`${title} (${pairs.length})`}</summary>
      <ul>
        {pairs.map(([name, value]) => (
          <li>
            <Option name={name} option={`${part} ${name}`} picked={picked} value={value} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Option({
  name,
  option,
  picked,
  value,
}: {
  name: string;
  option: string;
  picked: string;
  value: PayloadValue;
}) {
  return (
    <label>
      <input type="radio" name="pick" value={option} checked={option === picked} />{" "}
      <span>{cut(name, 60)}</span> <code class={`json ${kindOf(value)}`}>{summaryOf(value)}</code>
    </label>
  );
}

const kindOf = (value: PayloadValue): string => (value === null ? "null" : typeof value);

function summaryOf(value: PayloadValue): string {
  if (value === null || typeof value !== "object") return shortValue(value);
  if (Array.isArray(value)) return `[ ${value.length} ]`;
  return `{ ${Object.keys(value).length} }`;
}

/** What to do with the picked value. */
function Actions({
  mapped,
  inputs,
}: {
  mapped: readonly string[];
  inputs: readonly WorkflowInput[];
}) {
  const isMapped = (name: string) => mapped.includes(name);
  const next = inputs.find(({ name }) => !isMapped(name)) ?? inputs[0];
  return (
    <div class="inline-form ends pick-actions">
      {inputs.length === 0 ? (
        <Input name="mapTo" label="Map to the input" />
      ) : (
        <Select
          name="mapTo"
          label="Map to"
          value={next?.name ?? ""}
          options={inputs.map(({ name }) => ({
            value: name,
            label: isMapped(name) ? `${name} (mapped)` : name,
          }))}
        />
      )}
      <button type="submit" name="do" value="map" class="primary" formnovalidate>
        Map value
      </button>
      <button type="submit" name="do" value="require" formnovalidate>
        Require field
      </button>
    </div>
  );
}
