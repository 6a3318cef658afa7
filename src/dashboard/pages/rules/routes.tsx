import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import type { LearnedShape, WhatIfResult } from "../../../contract/webhooks/trials.ts";
import type { WorkflowInput } from "../../../contract/workflow.ts";
import { LinkButton, ToldList } from "../../components/elements.tsx";
import { Tabs } from "../../components/layout.tsx";
import { IfMay, show } from "../../components/reader.tsx";
import { type Dashboard, endpointIdOf, type Page } from "../../context.ts";
import { formatCount } from "../../format.ts";
import { DefaultSubmit, FormErrors } from "../../forms/fields.tsx";
import type { FormState } from "../../forms/form.ts";
import { serveForm } from "../../forms/form-page.tsx";
import { inputsOf } from "../../lookups.ts";
import { endpointPath, WEBHOOKS } from "../../paths.ts";
import { EndpointPage } from "../webhooks/endpoint-layout.tsx";
import { WhatIf } from "../webhooks/verdict.tsx";
import { atControls, type Rules, rulesForm } from "./rules-form.ts";
import { loadSample, RulesView, SampleView } from "./rules-view.tsx";

type Route = NonNullable<EndpointRecord["routing"]>["routes"][number];

/** What stands around the draft on the page. */
interface Around {
  endpoint: EndpointRecord;
  /** The route whose mapping the draft changes; null on an endpoint without routes. */
  route: Route | null;
  inputs: WorkflowInput[];
  /** Where a draft starts, not where it is edited. */
  learned: LearnedShape | null;
}

/** Returns the path of the editor, of this route on an endpoint with routes. */
function rulesPath(endpointId: string, route: Route | null, more: Record<string, string> = {}) {
  const query = new URLSearchParams({ ...(route && { route: route.name }), ...more });
  return endpointPath(endpointId, `/rules${query.size === 0 ? "" : `?${query}`}`);
}

/** The requests on which a draft is tried. */
const TRIED = 50;

/** An endpoint's validation and mapping: edit them beside a request, try them on past ones, save. */
export function serveRules(app: Dashboard): void {
  serveForm(app, {
    path: `${WEBHOOKS}/:endpointId/rules`,
    load: aroundOf,
    form: (around) => rulesForm(around.inputs, rulesOf(around)),
    initial(around, http) {
      const { validation, mapping } = rulesOf(around);
      const { use } = http.req.query();
      const { schema, mapping: suggested } = around.learned ?? { schema: null, mapping };
      return {
        validation: use === "schema" ? { ...validation, schema } : validation,
        mapping: use === "mapping" ? suggested : mapping,
      };
    },
    page: (state, around, http) => rulesPage(http, around, state),
    async save({ webhooks }, rules, { loaded, typed }) {
      const changes = changesTo(loaded, rules);
      const { endpointId } = loaded.endpoint;
      if (typed.line("do") !== "save")
        return webhooks.whatIf(endpointId, { ...changes, last: TRIED });
      await webhooks.update(endpointId, changes);
      return null;
    },
    async done(http, result, { loaded, state }) {
      const { endpoint, route } = loaded;
      if (result !== null) return show(http, await rulesPage(http, loaded, state, result));
      return http.redirect(rulesPath(endpoint.endpointId, route, { saved: "1" }), 303);
    },
    refused({ refusal, ...state }) {
      return { ...state, refusal: { ...refusal, faults: atControls(refusal.faults) } };
    },
  });
}

async function aroundOf(http: Page): Promise<Around> {
  const api = http.get("api");
  const endpoint = await api.webhooks.get(endpointIdOf(http));
  const routes = endpoint.routing?.routes ?? [];
  const named = http.req.query("route");
  const route = routes.find(({ name }) => name === named) ?? routes[0] ?? null;
  const { workflowId } = route ?? endpoint;
  const learned = http.req.method === "GET" ? await api.webhooks.shape(endpoint.endpointId) : null;
  return { endpoint, route, inputs: [...(await inputsOf(api, workflowId))], learned };
}

/** Returns the saved rules that a draft changes: a route has its own mapping. */
function rulesOf({ endpoint, route }: Around): Rules {
  return { validation: endpoint.validation, mapping: (route ?? endpoint).mapping };
}

/** Returns the change of the endpoint that a draft stands for. */
function changesTo({ endpoint: { routing }, route }: Around, { validation, mapping }: Rules) {
  if (routing === null || route === null) return { validation, mapping };
  const routes = routing.routes.map((one) => (one.name === route.name ? { ...one, mapping } : one));
  return { validation, routing: { routes } };
}

async function rulesPage(
  http: Page,
  { endpoint, route, inputs, learned }: Around,
  of: FormState,
  result?: WhatIfResult,
) {
  const { endpointId } = endpoint;
  const { use, saved, request = "" } = http.req.query();
  const sample = await loadSample(http.get("api"), endpoint, inputs, request);
  const action = rulesPath(endpointId, route, request === "" ? {} : { request });
  const notice =
    (saved === "1" && "Rules saved. They apply to every new request.") ||
    (use !== undefined && "This draft comes from the learned shape. It is not saved yet.") ||
    null;
  return (
    <EndpointPage endpoint={endpoint} tab="rules" notice={learned && notice}>
      {learned !== null && learned.learnedFrom > 0 && (
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
      <form method="post" action={action}>
        <DefaultSubmit />
        <FormErrors of={of} />
        <div class="mapper">
          <SampleView sample={sample} />
          <RulesView of={of} inputs={inputs} />
        </div>
        <div class="actions card">
          <button type="submit" name="do" value="try" formaction={`${action}#what-if`}>
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
