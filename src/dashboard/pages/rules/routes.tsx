import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import type { LearnedShape, WhatIfResult } from "../../../contract/webhooks/trials.ts";
import type { WorkflowInput } from "../../../contract/workflow.ts";
import { LinkButton, ToldList } from "../../components/elements.tsx";
import { Tabs } from "../../components/layout.tsx";
import { IfMay, show } from "../../components/reader.tsx";
import { type Dashboard, endpointIdOf, type Page } from "../../context.ts";
import { formatCount } from "../../format.ts";
import { Control, DefaultSubmit, FormErrors } from "../../forms/fields.tsx";
import { type FormState, shownForm, submit, typedValues } from "../../forms/form.ts";
import { type Posted, postedForm } from "../../forms/posted.ts";
import { changedRows, withoutBlankRows } from "../../forms/rows.ts";
import { inputsOf } from "../../lookups.ts";
import { endpointPath } from "../../paths.ts";
import { EndpointPage } from "../webhooks/endpoint-layout.tsx";
import { WhatIf } from "../webhooks/verdict.tsx";
import { RulesView } from "./mapping-view.tsx";
import { loadSamples, resultsOf } from "./results.ts";
import {
  atControls,
  bodyOf,
  CHECKS,
  FIELDS,
  type Rules,
  rulesForm,
  shownRules,
} from "./rules-form.ts";
import { SampleView } from "./sample-view.tsx";

type Route = NonNullable<EndpointRecord["routing"]>["routes"][number];

/** What stands around the draft on the page. */
interface Around {
  endpoint: EndpointRecord;
  /** The route whose mapping the draft changes; null on an endpoint without routes. */
  route: Route | null;
  inputs: WorkflowInput[];
}

/** Returns the path of the editor, of this route on an endpoint with routes. */
function rulesPath(endpointId: string, route: Route | null, more: Record<string, string> = {}) {
  const query = new URLSearchParams({ ...(route && { route: route.name }), ...more });
  return endpointPath(endpointId, `/rules${query.size === 0 ? "" : `?${query}`}`);
}

/** An endpoint's validation and mapping: edit them beside a request, try them on past ones, save. */
export function serveRules(app: Dashboard): void {
  app.get("/webhooks/:endpointId/rules", async (http) => {
    const around = await aroundOf(http);
    const { validation, endpointId } = around.endpoint;
    const { mapping } = around.route ?? around.endpoint;
    const learned = await http.get("api").webhooks.shape(endpointId);
    const { use = "", request = "", saved } = http.req.query();
    const shown = shownRules(
      use === "schema" ? { ...validation, schema: learned.schema } : validation,
      use === "mapping" ? learned.mapping : mapping,
      around.inputs,
    );
    const notice = saved === "1" ? SAVED : use === "" ? null : LEARNED;
    const { form, typed } = shownForm(rulesForm(around.inputs), shown);
    const of = { form, typed: typed.set({ sample: request }), refusal: null };
    return show(http, await rulesPage(http, around, of, { notice, learned }));
  });

  app.post("/webhooks/:endpointId/rules", async (http) => {
    const around = await aroundOf(http);
    const typed = await postedForm(http);
    const form = rulesForm(around.inputs);
    const edited = changedRows(form, typed) ?? withPicked({ form, typed, refusal: null });
    if (edited !== null) return show(http, await rulesPage(http, around, edited));
    return tryOrSave(http, around, form, typed);
  });
}

const SAVED = "Rules saved. They apply to every new request.";
const LEARNED = "This draft comes from the learned shape. It is not saved yet.";

async function aroundOf(http: Page): Promise<Around> {
  const api = http.get("api");
  const endpoint = await api.webhooks.get(endpointIdOf(http));
  const routes = endpoint.routing?.routes ?? [];
  const named = http.req.query("route");
  const route = routes.find(({ name }) => name === named) ?? routes[0] ?? null;
  const { workflowId } = route ?? endpoint;
  return { endpoint, route, inputs: [...(await inputsOf(api, workflowId))] };
}

/** Does what a button beside the request says with the value that is picked in it; null for another button. */
function withPicked(of: FormState): FormState | null {
  const { typed } = of;
  const button = typed.line("do");
  if (button === "sample" || button === "refresh") return of;
  const [, part = "body", path = ""] = /^(body|header|query) (.+)$/s.exec(typed.text("pick")) ?? [];
  const to = typed.line("mapTo");
  if (button === "map" && to !== "") {
    const at = rowWith(typed, FIELDS, "to", to);
    const row = `${FIELDS}[${at}]`;
    const set = { [`${row}.to`]: to, [`${row}.in`]: part, [`${row}.from`]: path };
    return { ...of, typed: typed.set(set), focus: { list: FIELDS, at } };
  }
  if (button === "require" && part === "body" && path !== "") {
    const at = rowWith(typed, CHECKS, "path", path);
    const set = { [`${CHECKS}[${at}].path`]: path, [`${CHECKS}[${at}].required`]: "on" };
    return { ...of, typed: typed.set(set), focus: { list: CHECKS, at } };
  }
  return button === "map" || button === "require" ? of : null;
}

/** Returns the row of a list whose control has this text, else the one after the last. */
function rowWith(typed: Posted, list: string, control: string, text: string): number {
  const rows = typed.rows(list);
  return rows.find((at) => typed.line(`${list}[${at}].${control}`) === text) ?? rows.length;
}

async function tryOrSave(
  http: Page,
  around: Around,
  form: ReturnType<typeof rulesForm>,
  typed: Posted,
) {
  const { webhooks } = http.get("api");
  const { endpoint, route } = around;
  const { endpointId } = endpoint;
  const done = await submit(form, withoutBlankRows(form, typed), async ({ last, ...draft }) => {
    const changes = changesTo(around, draft);
    if (typed.line("do") !== "save") return webhooks.whatIf(endpointId, { ...changes, last });
    await webhooks.update(endpointId, changes);
    return null;
  });
  if (!done.ok) {
    const { refusal, ...state } = done.state;
    const faults = atControls(refusal.faults, state.typed);
    const of = { ...state, refusal: { ...refusal, faults } };
    return show(http, await rulesPage(http, around, of), refusal.status);
  }
  if (done.value === null) return http.redirect(rulesPath(endpointId, route, { saved: "1" }), 303);
  const of = { form, typed, refusal: null };
  return show(http, await rulesPage(http, around, of, { result: done.value }));
}

/** Returns the change of the endpoint that a draft stands for: a route has its own mapping. */
function changesTo(
  { endpoint: { routing }, route }: Around,
  { validation, mapping }: Omit<Rules, "last">,
) {
  if (routing === null || route === null) return { validation, mapping };
  const routes = routing.routes.map((one) => (one.name === route.name ? { ...one, mapping } : one));
  return { validation, routing: { routes } };
}

/** What the page shows besides the draft. */
interface Contents {
  result?: WhatIfResult;
  notice?: string | null;
  /** Where a draft starts, not where it is edited. */
  learned?: LearnedShape;
}

async function rulesPage(
  http: Page,
  { endpoint, route, inputs }: Around,
  of: FormState,
  { result, notice = null, learned }: Contents = {},
) {
  const { endpointId } = endpoint;
  const { typed } = of;
  const isForResults = typed.line("do") === "refresh";
  const api = http.get("api");
  const samples = await loadSamples(api, endpoint, inputs, typed.line("sample"), isForResults);
  const { mapping } = bodyOf(typedValues(of), inputs);
  const results = samples.sample && (await resultsOf(mapping, inputs, samples.sample));
  const mapped = mapping.fields.map(({ to }) => String(to));
  return (
    <EndpointPage endpoint={endpoint} tab="rules" notice={notice}>
      {learned !== undefined && learned.learnedFrom > 0 && (
        <Learned shape={learned} endpointId={endpointId} route={route} />
      )}
      {route !== null && (
        <Tabs
          label="Routes"
          current={route.name}
          tabs={(endpoint.routing?.routes ?? []).map((one) => ({
            id: one.name,
            label: one.name,
            href: rulesPath(endpointId, one),
          }))}
        />
      )}
      <form method="post" action={`${rulesPath(endpointId, route)}#editor`}>
        <div id="editor" data-editor>
          <DefaultSubmit />
          <FormErrors of={of} />
          <div class="mapper">
            <SampleView
              samples={samples}
              mapped={mapped}
              inputs={inputs}
              picked={typed.text("pick")}
            />
            <RulesView of={of} inputs={inputs} mapped={mapped} results={results} />
          </div>
        </div>
        <div class="inline-form ends card">
          <Control of={of} name="last" />
          <button
            type="submit"
            name="do"
            value="try"
            formaction={`${rulesPath(endpointId, route)}#what-if`}
          >
            Try draft
          </button>
          <IfMay scope="webhooks:write">
            <button type="submit" name="do" value="save" class="primary">
              Save draft
            </button>
          </IfMay>
        </div>
      </form>
      {result !== undefined && <WhatIf endpointId={endpointId} result={result} />}
    </EndpointPage>
  );
}

/** What the endpoint learned from the payloads that it accepted. */
function Learned({
  shape: { learnedFrom, drifted, notes },
  endpointId,
  route,
}: {
  shape: LearnedShape;
  endpointId: string;
  route: Route | null;
}) {
  const differ = drifted === 0 ? "None" : formatCount(drifted, "logged request");
  return (
    <section class="card" aria-labelledby="learned">
      <div class="section-head">
        <h2 id="learned">Learned shape</h2>
        <div class="actions">
          <LinkButton href={rulesPath(endpointId, route, { use: "schema" })}>
            Use learned schema
          </LinkButton>
          {route === null && (
            <LinkButton href={rulesPath(endpointId, null, { use: "mapping" })}>
              Use suggested mapping
            </LinkButton>
          )}
        </div>
      </div>
      <p>{`Learned from ${formatCount(learnedFrom, "payload")}. ${differ} differed from the shape.`}</p>
      <ToldList lines={notes} />
    </section>
  );
}
