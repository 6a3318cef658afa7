import * as z from "zod";
import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import { mappingBody } from "../../../contract/inbound/mapping.ts";
import type { WhatIfResult } from "../../../contract/inbound/trials.ts";
import { validationBody } from "../../../contract/inbound/validation.ts";
import type { WorkflowInput } from "../../../contract/workflow.ts";
import { Notice } from "../../components/elements.tsx";
import { show } from "../../components/reader.tsx";
import type { Dashboard, Page } from "../../context.ts";
import { Control, FormErrors } from "../../forms/fields.tsx";
import { type Form, type FormState, readForm, shownForm, submit } from "../../forms/form.ts";
import { postedForm } from "../../forms/posted.ts";
import { inputsOf } from "../../lookups.ts";
import { endpointPath } from "../../paths.ts";
import { EndpointPage } from "./endpoint-layout.tsx";
import { MappedTable } from "./mapped-table.tsx";
import { WhatIf } from "./verdict.tsx";

const rules = z.object({
  validation: validationBody,
  mapping: mappingBody,
  last: z.coerce.number().int().min(1).max(200),
});

const RULES: Form<typeof rules> = {
  schema: rules,
  fields: {
    validation: {
      kind: "json",
      label: "Validation",
      hint: "required: paths that must be present. types: a type for each path. schema: JSON Schema 2020-12. maxBytes.",
      more: { rows: 18 },
    },
    mapping: {
      kind: "json",
      label: "Mapping",
      hint: "auto: map fields to the inputs of the same name. fields: an input, its path, transforms and default.",
      more: { rows: 18 },
    },
    last: {
      kind: "select",
      label: "Try on",
      options: ["20", "50", "100", "200"].map((value) => ({
        value,
        label: `the latest ${value} requests`,
      })),
    },
  },
};

/** An endpoint's validation and mapping: view, draft, try on logged requests, save. */
export function serveRules(app: Dashboard): void {
  app.get("/webhooks/:endpointId/rules", async (http) => {
    const { webhooks } = http.get("api");
    const endpoint = await webhooks.get(http.req.param("endpointId"));
    const use = http.req.query("use") ?? "";
    const learned = use === "" ? null : await webhooks.shape(endpoint.endpointId);
    const isUsed = (part: string) => use === part || use === "both";
    const { validation, mapping } = endpoint;
    const state = shownForm(RULES, {
      validation:
        learned !== null && isUsed("validation")
          ? { ...validation, schema: learned.schema }
          : validation,
      mapping: learned !== null && isUsed("mapping") ? learned.mapping : mapping,
      last: 50,
    });
    const isSaved = http.req.query("saved") === "1";
    const notice = isSaved ? SAVED : learned === null ? null : LEARNED;
    return show(
      http,
      <RulesPage {...(await around(http, endpoint))} state={state} notice={notice} />,
    );
  });

  app.post("/webhooks/:endpointId/rules", async (http) => {
    const { webhooks } = http.get("api");
    const endpoint = await webhooks.get(http.req.param("endpointId"));
    const { endpointId } = endpoint;
    const typed = await postedForm(http);
    const isSave = typed.line("do") === "save";
    const done = await submit(RULES, typed, async ({ last, ...changes }) => {
      if (!isSave) return webhooks.whatIf(endpointId, { ...changes, last });
      await webhooks.update(endpointId, changes);
      return null;
    });
    if (!done.ok) {
      const page = <RulesPage {...(await around(http, endpoint))} state={done.state} />;
      return show(http, page, done.state.refusal.status);
    }
    if (done.value === null) return http.redirect(endpointPath(endpointId, "/rules?saved=1"), 303);
    const state = { form: RULES, typed, refusal: null };
    const result = done.value;
    return show(
      http,
      <RulesPage {...(await around(http, endpoint))} state={state} result={result} />,
    );
  });
}

const SAVED = "Rules saved. They apply to every new request.";
const LEARNED = "This draft comes from the learned shape. It is not saved yet.";

async function around(http: Page, endpoint: EndpointRecord) {
  return { endpoint, inputs: await inputsOf(http.get("api"), endpoint.workflowId) };
}

/** The editor of validation and mapping, and what a draft would change. */
function RulesPage({
  endpoint,
  inputs,
  state,
  result = null,
  notice = null,
}: {
  endpoint: EndpointRecord;
  inputs: readonly WorkflowInput[];
  state: FormState;
  result?: WhatIfResult | null;
  notice?: string | null;
}) {
  const { endpointId } = endpoint;
  const drafted = readForm(RULES, state.typed);
  return (
    <EndpointPage endpoint={endpoint} tab="rules">
      {notice !== null && <Notice tone="good">{notice}</Notice>}
      <section class="part">
        <h2>Workflow inputs</h2>
        <MappedTable
          mapping={drafted.ok ? drafted.body.mapping : endpoint.mapping}
          inputs={inputs}
        />
      </section>
      <form method="post" action={endpointPath(endpointId, "/rules#what-if")} class="card">
        <FormErrors of={state} />
        <div class="fields wide">
          <Control of={state} name="validation" />
          <Control of={state} name="mapping" />
        </div>
        <div class="inline-form ends">
          <Control of={state} name="last" />
          <button type="submit" name="do" value="try">
            Try draft
          </button>
          <button type="submit" name="do" value="save" class="primary">
            Save draft
          </button>
        </div>
      </form>
      {result !== null && <WhatIf endpointId={endpointId} result={result} />}
    </EndpointPage>
  );
}
