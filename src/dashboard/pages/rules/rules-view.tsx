import type { Prompthook } from "../../../client/prompthook.ts";
import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import type { PayloadValue } from "../../../contract/webhooks/payload.ts";
import type { WorkflowInput } from "../../../contract/workflow.ts";
import { pathText } from "../../../intake/mapping/payload-path.ts";
import type { Comparable } from "../../../lib/differences.ts";
import { JsonView, type Pick } from "../../components/json-view.tsx";
import { Control, Controls, isAnyFaulty } from "../../forms/fields.tsx";
import { type FormState, isSet, typedValues } from "../../forms/form.ts";
import { requestBodyOf } from "../requests/request-body.tsx";
import { sampleEvent } from "../webhooks/sample-event.ts";
import { CASE_CONTROLS, CONDITIONS, ROUTE_CONTROLS, type Route } from "./route-form.ts";
import { mappingOf } from "./rules-form.ts";

/** The request whose values are mapped. */
export function SampleView({
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
  (part: string): Pick =>
  (path, value) => {
    const name = part === "body" ? pathText([...path]) : String(path[0]);
    const row = { path: name, in: part, operator: "equals", value: JSON.stringify(value) };
    return `add:${CONDITIONS}?${new URLSearchParams(row)}`;
  };

/** The route, the fields of a mapping, the inputs that have none, and the rules for payloads. */
export function RulesView({ of, inputs }: { of: FormState; inputs: readonly WorkflowInput[] }) {
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
export interface Sample {
  /** The id of a logged request; null for the sample of the sender. */
  requestId: string | null;
  /** Undefined for a request that is not stored whole or cannot be parsed. */
  payload: PayloadValue | undefined;
  headers: Comparable;
  query: Comparable;
}

/** The newest requests among which one is looked for that a route matched. */
const LOOKED = 50;

/**
 * Loads a request of the log by its id; without one, the newest that the route matched, else the newest, else
 * the sender's sample.
 */
export async function loadSample(
  { webhooks }: Prompthook,
  {
    endpoint,
    route,
    inputs,
  }: { endpoint: EndpointRecord; route: Route | null; inputs: readonly WorkflowInput[] },
  wanted: string,
): Promise<Sample> {
  const { endpointId } = endpoint;
  const { requests } = await webhooks.requests(endpointId, { limit: route === null ? 1 : LOOKED });
  const matched = requests.find(({ routes }) =>
    routes.some(({ name, matched: isMatch }) => isMatch && name === route?.name),
  );
  const requestId = wanted || (matched ?? requests[0])?.requestId;
  if (requestId === undefined) {
    const { headers, payload } = sampleEvent(endpoint, inputs, "sample-1", Date.now());
    return { requestId: null, payload, headers: Object.fromEntries(headers), query: {} };
  }
  const entry = await webhooks.request(endpointId, requestId);
  const { payload } = await requestBodyOf(entry);
  return { requestId, payload, headers: entry.headers, query: entry.query };
}
