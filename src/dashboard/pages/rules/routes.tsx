import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import { MAX_ROUTES } from "../../../contract/webhooks/routing.ts";
import type { WhatIfResult } from "../../../contract/webhooks/trials.ts";
import type { WorkflowInput, WorkflowRecord } from "../../../contract/workflow.ts";
import { IfMay, show, Tabs } from "../../components/layout.tsx";
import { type Dashboard, endpointIdOf, type Page } from "../../context.ts";
import { DefaultSubmit, FormErrors } from "../../forms/fields.tsx";
import type { FormState } from "../../forms/form.ts";
import { serveForm } from "../../forms/form-page.tsx";
import { allWorkflows } from "../../lookups.ts";
import { endpointPath, WEBHOOKS } from "../../paths.ts";
import { EndpointPage } from "../webhooks/endpoint-layout.tsx";
import { WhatIf } from "../webhooks/verdict.tsx";
import { type Route, routeFields, shownRoute } from "./route-form.ts";
import { atControls, type EditedRoute, type Rules, rulesForm } from "./rules-form.ts";
import { loadSample, RulesView, SampleView } from "./rules-view.tsx";

/** What stands around the draft on the page. */
interface Around {
  endpoint: EndpointRecord;
  /** The route that the draft changes; null on an endpoint without routes. */
  route: Route | null;
  /** The place of that route, which is the last one for a new route. */
  position: number;
  isNew: boolean;
  workflows: WorkflowRecord[];
  inputs: WorkflowInput[];
}

type Named = Pick<Route, "name">;

/** Returns the path of the editor, of this route on an endpoint with routes. */
function rulesPath(endpointId: string, route: Named | null, more: Record<string, string> = {}) {
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
    form: (around) => rulesForm(around.inputs, rulesOf(around), editedRoute(around)),
    initial: (around) => ({
      ...rulesOf(around),
      ...(around.route && shownRoute(around.route, around.position)),
    }),
    page: (state, around, http) => rulesPage(http, around, state),
    async save({ webhooks }, rules, { loaded, typed }) {
      const position = Number(typed.line("route.position") || loaded.position);
      const changes = changesTo(loaded, rules, position);
      const { endpointId } = loaded.endpoint;
      if (typed.line("do") === "delete") {
        await webhooks.update(endpointId, { routing: withoutRoute(loaded) });
        return null;
      }
      if (typed.line("do") !== "save") {
        return webhooks.whatIf(endpointId, { ...changes, last: TRIED });
      }
      await webhooks.update(endpointId, changes);
      return null;
    },
    async done(http, result, { loaded, state, typed }) {
      if (result !== null) return show(http, await rulesPage(http, loaded, state, result));
      if (typed.line("do") === "delete") {
        return http.redirect(endpointPath(loaded.endpoint.endpointId), 303);
      }
      const route = loaded.route && { name: typed.line("route.name") };
      return http.redirect(rulesPath(loaded.endpoint.endpointId, route, { saved: "1" }), 303);
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
  const isNew = http.req.query("add") === "1" && routes.length < MAX_ROUTES;
  const workflows = await allWorkflows(api);
  const known = routes.find(({ name }) => name === named) ?? routes[0] ?? null;
  const route = isNew ? blankRoute(endpoint, workflows) : known;
  const position = isNew || known === null ? routes.length : routes.indexOf(known);
  const { workflowId } = route ?? endpoint;
  const inputs = workflows.find((workflow) => workflow.workflowId === workflowId)?.inputs ?? [];
  return { endpoint, route, position, isNew, workflows, inputs: [...inputs] };
}

/** Returns the route that a form for a new one starts from: the first one takes the endpoint's workflow. */
function blankRoute(
  { workflowId, routing, mapping }: EndpointRecord,
  [first]: readonly WorkflowRecord[],
): Route {
  const isFirst = routing === null;
  return {
    name: "",
    workflowId: (isFirst ? workflowId : null) ?? first?.workflowId ?? "",
    mapping: isFirst ? mapping : { ...mapping, fields: [] },
  };
}

/** Returns the controls of the route that is edited; null on an endpoint without routes. */
function editedRoute({ endpoint, route, isNew, workflows }: Around): EditedRoute | null {
  const count = (endpoint.routing?.routes.length ?? 0) + (isNew ? 1 : 0);
  return route && { stored: route, fields: routeFields(workflows, count) };
}

/** Returns the saved rules that a draft changes: a route has its own mapping. */
function rulesOf({ endpoint, route }: Around): Rules {
  return { validation: endpoint.validation, mapping: (route ?? endpoint).mapping };
}

/** Returns the change of the endpoint that a draft stands for. */
function changesTo(
  { endpoint: { routing }, route: stored, isNew }: Around,
  { validation, mapping, route }: Rules,
  position: number,
) {
  if (stored === null || route === undefined) return { validation, mapping };
  const others = (routing?.routes ?? []).filter(({ name }) => isNew || name !== stored.name);
  return { validation, routing: { routes: others.toSpliced(position, 0, route) } };
}

/** Returns the routes without the one that is edited; null without any other. */
function withoutRoute({ endpoint: { routing }, route }: Around) {
  const routes = (routing?.routes ?? []).filter(({ name }) => name !== route?.name);
  return routes.length === 0 ? null : { routes };
}

async function rulesPage(http: Page, around: Around, of: FormState, result?: WhatIfResult) {
  const { endpoint, route, inputs, isNew } = around;
  const { endpointId } = endpoint;
  const { saved, request = "" } = http.req.query();
  const sample = await loadSample(http.get("api"), around, request);
  const at = { ...(isNew && { add: "1" }), ...(request !== "" && { request }) };
  const action = rulesPath(endpointId, isNew ? null : route, at);
  const notice = saved === "1" ? "Rules saved. They apply to every new request." : null;
  return (
    <EndpointPage endpoint={endpoint} tab="rules" notice={notice}>
      {route !== null && (
        <Tabs
          label="Routes"
          links={[
            ...(endpoint.routing?.routes ?? []).map((one) => ({
              label: one.name,
              href: rulesPath(endpointId, one),
              isCurrent: one.name === route.name,
            })),
            {
              label: "New route",
              href: rulesPath(endpointId, null, { add: "1" }),
              isCurrent: isNew,
            },
          ]}
        />
      )}
      <form method="post" action={action}>
        <DefaultSubmit />
        <FormErrors of={of} />
        <div class="mapper">
          <SampleView sample={sample} picks={route !== null} />
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
            {route !== null && !isNew && (
              <button type="submit" name="do" value="delete" class="danger">
                Delete route
              </button>
            )}
          </IfMay>
        </div>
      </form>
      {result !== undefined && (
        <WhatIf
          endpointId={endpointId}
          result={result}
          route={route && of.typed.line("route.name")}
        />
      )}
    </EndpointPage>
  );
}
