import * as z from "zod";
import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import { mappingBody } from "../../../contract/inbound/mapping.ts";
import type { WhatIfResult } from "../../../contract/inbound/trials.ts";
import { validationBody } from "../../../contract/inbound/validation.ts";
import type { Json } from "../../../contract/json.ts";
import type { WorkflowInput } from "../../../contract/workflow.ts";
import { Notice } from "../../components/elements.tsx";
import type { Dashboard, Page } from "../../context.ts";
import {
  attempt,
  type Faults,
  faultsByIssues,
  faultsUnder,
  type Made,
  NO_FAULTS,
  type Refusal,
  Refused,
} from "../../forms/errors.tsx";
import { Area, Select } from "../../forms/fields.tsx";
import { jsonText, type Posted, postedForm, typedJson } from "../../forms/posted.ts";
import { inputsOf } from "../../lookups.ts";
import { endpointPath } from "../../paths.ts";
import { EndpointPage } from "./endpoint-layout.tsx";
import { MappedTable } from "./mapped-table.tsx";
import { WhatIf } from "./verdict.tsx";

/** Validation and mapping as their form has them: JSON that may be wrong. */
export interface RulesDraft {
  validation: string;
  mapping: string;
  /** How many of the newest requests the draft is tried on. */
  last: string;
}

const LAST = "50";

/** The rules as they are, or others in their place. */
export function draftOfRules({
  validation,
  mapping,
}: Pick<EndpointRecord, "validation" | "mapping">): RulesDraft {
  return { validation: jsonText(plain(validation)), mapping: jsonText(plain(mapping)), last: LAST };
}

export function postedRules(posted: Posted): RulesDraft {
  return {
    validation: posted.text("validation"),
    mapping: posted.text("mapping"),
    last: posted.line("last"),
  };
}

const rules = z.object({
  validation: validationBody,
  mapping: mappingBody,
  last: z.coerce.number().int().min(1).max(200),
});
export type Rules = z.output<typeof rules>;

/** The rules that the draft says; each half may be wrong on its own. */
export function rulesOf(draft: RulesDraft): Made<Rules> {
  const own = new Map<string, string>();
  const read = (name: "validation" | "mapping"): Json => {
    const typed = typedJson(draft[name]);
    if (typed.ok) return typed.value;
    own.set(name, typed.message);
    return {};
  };
  const parsed = rules.safeParse({
    validation: read("validation"),
    mapping: read("mapping"),
    last: draft.last,
  });
  if (parsed.success && own.size === 0) return { ok: true, body: parsed.data };
  const faults: Faults = new Map([
    ...(parsed.success ? [] : faultsByIssues(parsed.error.issues)),
    ...own,
  ]);
  return { ok: false, faults };
}

/** As JSON has it, without fields that are undefined. */
function plain(value: unknown): Json {
  const read = typedJson(JSON.stringify(value));
  return read.ok ? read.value : null;
}

const SAMPLE_SIZES = ["20", "50", "100", "200"].map((value) => ({
  value,
  label: `the newest ${value}`,
}));

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
          <Select
            name="last"
            label="Try it on"
            value={draft.last}
            options={SAMPLE_SIZES}
            faults={faults}
          />
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

/** An endpoint's validation and mapping: read, draft, try on what came, save. */
export function serveRules(app: Dashboard): void {
  app.get("/webhooks/:endpointId/rules", async (http) => {
    const api = http.get("api");
    const endpoint = await api.webhooks.get(http.req.param("endpointId"));
    const use = http.req.query("use") ?? "";
    const draft = use === "" ? draftOfRules(endpoint) : await learnedDraft(http, endpoint, use);
    const notice =
      http.req.query("saved") === "1"
        ? "Saved. It holds for every request from now on."
        : use === ""
          ? null
          : "This is a draft of what was learned. Nothing is saved yet.";
    return http.html(
      <RulesPage {...(await around(http, endpoint))} draft={draft} notice={notice} />,
    );
  });

  app.post("/webhooks/:endpointId/rules", async (http) => {
    const endpoint = await http.get("api").webhooks.get(http.req.param("endpointId"));
    const posted = await postedForm(http);
    const draft = postedRules(posted);
    return posted.line("do") === "save"
      ? save(http, endpoint, draft)
      : tryOut(http, endpoint, draft);
  });
}

async function save(http: Page, endpoint: EndpointRecord, draft: RulesDraft) {
  const { endpointId } = endpoint;
  const saved = await attempt(rulesOf(draft), ({ validation, mapping }) =>
    http.get("api").webhooks.update(endpointId, { validation, mapping }),
  );
  if (saved.ok) return http.redirect(endpointPath(endpointId, "/rules?saved=1"), 303);
  return refused(http, endpoint, draft, saved.refusal);
}

async function tryOut(http: Page, endpoint: EndpointRecord, draft: RulesDraft) {
  const tried = await attempt(rulesOf(draft), (rules) =>
    http.get("api").webhooks.whatIf(endpoint.endpointId, rules),
  );
  if (!tried.ok) return refused(http, endpoint, draft, tried.refusal);
  const page = <RulesPage {...(await around(http, endpoint))} draft={draft} result={tried.value} />;
  return http.html(page);
}

async function refused(http: Page, endpoint: EndpointRecord, draft: RulesDraft, refusal: Refusal) {
  const page = <RulesPage {...(await around(http, endpoint))} draft={draft} refusal={refusal} />;
  return http.html(page, refusal.status);
}

async function around(http: Page, endpoint: EndpointRecord) {
  return { endpoint, inputs: await inputsOf(http.get("api"), endpoint.workflowId) };
}

/** The rules with what was learned in their place: the schema, the mapping, or both. */
async function learnedDraft(
  http: Page,
  endpoint: EndpointRecord,
  use: string,
): Promise<RulesDraft> {
  const { schema, mapping } = await http.get("api").webhooks.shape(endpoint.endpointId);
  const isBoth = use === "both";
  return draftOfRules({
    validation:
      isBoth || use === "validation" ? { ...endpoint.validation, schema } : endpoint.validation,
    mapping: isBoth || use === "mapping" ? mapping : endpoint.mapping,
  });
}
