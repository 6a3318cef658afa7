import type { Prompthook } from "../../../client/prompthook.ts";
import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import { MAX_ROUTES } from "../../../contract/webhooks/routing.ts";
import type { WhatIfResult } from "../../../contract/webhooks/trials.ts";
import type { WorkflowInput, WorkflowRecord } from "../../../contract/workflow.ts";
import { pathText } from "../../../intake/mapping/payload-path.ts";
import { JsonView, type Pick as PickOf } from "../../components/json-view.tsx";
import { IfMay, show, Tabs } from "../../components/layout.tsx";
import { type Dashboard, endpointIdOf, type Page } from "../../context.ts";
import { Control, Controls, DefaultSubmit, FormErrors, isAnyFaulty } from "../../forms/fields.tsx";
import { type FormState, isSet, typedValues } from "../../forms/form.ts";
import { serveForm } from "../../forms/form-page.tsx";
import { allWorkflows } from "../../lookups.ts";
import { endpointPath, WEBHOOKS } from "../../paths.ts";
import { requestBodyOf } from "../requests/request-body.tsx";
import { EndpointPage } from "../webhooks/endpoint-layout.tsx";
import { sampleEvent } from "../webhooks/senders.ts";
import { WhatIf } from "../webhooks/verdict.tsx";
import {
  atControls,
  CASE_CONTROLS,
  CONDITIONS,
  mappingOf,
  ROUTE_CONTROLS,
  type Route,
  type Rules,
  routeFields,
  rulesForm,
  shownRoute,
} from "./rules-form.ts";

/** What stands around the draft on the page. */
type Around = Awaited<ReturnType<typeof aroundOf>>;

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
    form: (around) => {
      const { endpoint, route, isNew, workflows, inputs } = around;
      const count = (endpoint.routing?.routes.length ?? 0) + (isNew ? 1 : 0);
      const edited = route && { stored: route, fields: routeFields(workflows, count) };
      return rulesForm(inputs, rulesOf(around), edited);
    },
    revisionOf: ({ endpoint }) => endpoint.revision,
    initial: (around) => ({
      ...rulesOf(around),
      ...(around.route && shownRoute(around.route, around.position)),
    }),
    page: (state, around, http) => rulesPage(http, around, state),
    async save({ webhooks }, rules, { loaded, typed }) {
      const position = Number(typed.line("route.position") || loaded.position);
      const changes = changesTo(loaded, rules, position);
      const { endpointId } = loaded.endpoint;
      const asked = typed.line("do");
      const isDeletion = asked === "delete";
      if (!isDeletion && asked !== "save") {
        return webhooks.whatIf(endpointId, { ...changes, last: TRIED });
      }
      await webhooks.update(endpointId, isDeletion ? { routing: withoutRoute(loaded) } : changes);
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

/** Loads an endpoint and the route that the draft changes, null without routes; a new one comes last. */
async function aroundOf(http: Page) {
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
  const revision = String(endpoint.revision);
  const at = { ...(isNew && { add: "1" }), ...(request !== "" && { request }), revision };
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

/** The request whose values are mapped. */
function SampleView({
  sample: { requestId, payload, headers, query },
  picks,
}: {
  sample: Sample;
  /** Whether a click on a value adds it to the conditions of a route. */
  picks: boolean;
}) {
  const pick = picks ? pickFrom : () => undefined;
  return (
    <section class="card" aria-labelledby="sample-title">
      <h2 id="sample-title">Request</h2>
      <p class="muted">{requestId ?? "A sample of the sender"}</p>
      {payload === undefined ? (
        <p class="muted">This request is not stored whole or cannot be parsed.</p>
      ) : (
        <JsonView value={payload} pick={pick("body")} />
      )}
      <details>
        <summary>Headers and query</summary>
        <JsonView value={headers} pick={pick("header")} />
        <JsonView value={query} pick={pick("query")} />
      </details>
    </section>
  );
}

/** Returns the attributes of a button that adds a value of this part to the conditions. */
const pickFrom =
  (part: string): PickOf =>
  (path, value) => {
    const name = part === "body" ? pathText([...path]) : String(path[0]);
    const row = { path: name, in: part, operator: "equals", value: JSON.stringify(value) };
    return `add:${CONDITIONS}?${new URLSearchParams(row)}`;
  };

/** The route, the fields of a mapping, the inputs that have none, and the rules for payloads. */
function RulesView({ of, inputs }: { of: FormState; inputs: readonly WorkflowInput[] }) {
  const { fields } = mappingOf(typedValues(of));
  const open = inputs.filter(({ name }) => fields.every(({ to }) => to !== name));
  const hasSchema = isSet(of, "validation.schema") || isAnyFaulty(of, ["validation.schema"]);
  return (
    <div>
      {of.form.fields[CONDITIONS] !== undefined && (
        <section class="card" aria-label="Route">
          <Controls of={of} names={ROUTE_CONTROLS} />
          <Control of={of} name={CONDITIONS} />
          <details class="sub" open={["route.when", "route.key"].some((name) => isSet(of, name))}>
            <summary>Further condition and cases</summary>
            <Control of={of} name="route.when" />
            <Controls of={of} names={CASE_CONTROLS} />
          </details>
        </section>
      )}
      <section class="card" aria-labelledby="mapping-title">
        <h2 id="mapping-title">Mapping</h2>
        <Control of={of} name="mapping.fields" />
        {open.length > 0 && (
          <p class="hint" id="open-inputs">
            {"Inputs without a mapped value: "}
            {open.map(({ name, required }) => (required ? `${name} (required)` : name)).join(", ")}.
          </p>
        )}
        <Control of={of} name="mapping.auto" />
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

/** A request whose values the editor shows. */
type Sample = Awaited<ReturnType<typeof loadSample>>;

/** The newest requests that started something, among which one is looked for that a route matched. */
const LOOKED = { limit: 50, status: ["succeeded", "running", "failed", "queued"] } as const;

/**
 * Loads a request of the log by its id; without one, the newest that the route matched, else the newest, else
 * the sender's sample.
 */
async function loadSample(
  { webhooks }: Prompthook,
  { endpoint, route, inputs }: Pick<Around, "endpoint" | "route" | "inputs">,
  wanted: string,
) {
  const { endpointId } = endpoint;
  const [newest, started] = await Promise.all([
    webhooks.requests(endpointId, { limit: 1 }),
    route === null ? null : webhooks.requests(endpointId, LOOKED),
  ]);
  const matched = started?.requests.find(({ routes }) =>
    routes.some(({ name, matched: isMatch }) => isMatch && name === route?.name),
  );
  const requestId = wanted || (matched ?? newest.requests[0])?.requestId;
  if (requestId === undefined) {
    const { headers, payload } = sampleEvent(endpoint, inputs, "sample-1", Date.now());
    return { requestId: null, payload, headers: Object.fromEntries(headers), query: {} };
  }
  const entry = await webhooks.request(endpointId, requestId);
  const { payload } = await requestBodyOf(entry);
  return { requestId, payload, headers: entry.headers, query: entry.query };
}
