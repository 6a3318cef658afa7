import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import type { WhatIfResult } from "../../../contract/inbound/what-if.ts";
import type { WorkflowInput } from "../../../contract/workflow.ts";
import { Area, Select } from "../../components/fields.tsx";
import { Notice } from "../../components/parts.tsx";
import { Refused } from "../../components/refused.tsx";
import { type Faults, faultsUnder, NO_FAULTS, type Refusal } from "../../forms/faults.ts";
import { EndpointPage } from "./frame.tsx";
import { MappedTable } from "./mapped-table.tsx";
import { endpointPath } from "./paths.ts";
import { type RulesDraft, rulesOf } from "./rules-draft.ts";
import { WhatIf } from "./what-if.tsx";

const LAST = ["20", "50", "100", "200"].map((value) => ({ value, label: `the newest ${value}` }));

/** The editor of validation and mapping, and what a draft of them would change. */
export function RulesPage({
  endpoint,
  inputs,
  draft,
  refusal = null,
  result = null,
  notice = null,
}: {
  endpoint: EndpointRecord;
  inputs: readonly WorkflowInput[];
  draft: RulesDraft;
  refusal?: Refusal | null;
  result?: WhatIfResult | null;
  notice?: string | null;
}) {
  const { endpointId } = endpoint;
  const faults = refusal?.faults ?? NO_FAULTS;
  const drafted = rulesOf(draft);
  return (
    <EndpointPage endpoint={endpoint} tab="rules">
      {notice !== null && <Notice tone="good">{notice}</Notice>}
      <section class="part">
        <h2>What the workflow gets</h2>
        <MappedTable
          mapping={drafted.ok ? drafted.body.mapping : endpoint.mapping}
          inputs={inputs}
        />
      </section>
      <form method="post" action={endpointPath(endpointId, "/rules#what-if")} class="card">
        <Refused refusal={refusal} shown={(name) => name in HINTS} />
        <div class="fields wide">
          <Editor name="validation" label="Validation" value={draft.validation} faults={faults} />
          <Editor name="mapping" label="Mapping" value={draft.mapping} faults={faults} />
        </div>
        <div class="inline-form ends">
          <Select name="last" label="Try it on" value={draft.last} options={LAST} faults={faults} />
          <button type="submit" name="do" value="try">
            What if
          </button>
          <button type="submit" name="do" value="save" class="primary">
            Save this draft
          </button>
        </div>
      </form>
      {result !== null && <WhatIf endpointId={endpointId} result={result} />}
    </EndpointPage>
  );
}

const HINTS = {
  validation:
    "required: paths that have to be there. types: a type for each path. schema: JSON Schema 2020-12. maxBytes.",
  mapping:
    "auto: fields go to the inputs of their names. fields: to an input, from a path, by transforms, else a default.",
};

function Editor({
  name,
  label,
  value,
  faults,
}: {
  name: "validation" | "mapping";
  label: string;
  value: string;
  faults: Faults;
}) {
  const wrong = faultsUnder(faults, name);
  const told = wrong.map(([path, message]) => (path === name ? message : `${path}: ${message}`));
  const here: Faults = wrong.length === 0 ? NO_FAULTS : new Map([[name, told.join(" ")]]);
  return (
    <Area
      name={name}
      label={label}
      hint={HINTS[name]}
      value={value}
      faults={here}
      code
      more={{ rows: 18 }}
    />
  );
}
