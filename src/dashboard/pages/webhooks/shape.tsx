import type * as z from "zod";
import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import type { learnedShape } from "../../../contract/inbound/trials.ts";
import type { WorkflowInput } from "../../../contract/workflow.ts";
import { Empty } from "../../components/elements.tsx";
import { JsonView } from "../../components/json-view.tsx";
import type { Dashboard } from "../../context.ts";
import { inputsOf } from "../../lookups.ts";
import { endpointPath } from "../../paths.ts";
import { EndpointPage } from "./endpoint-layout.tsx";
import { MappedTable } from "./mapped-table.tsx";

/** What was learned of the payloads that were accepted. */
export function serveShape(app: Dashboard): void {
  app.get("/webhooks/:endpointId/shape", async (http) => {
    const api = http.get("api");
    const endpointId = http.req.param("endpointId");
    const [endpoint, shape] = await Promise.all([
      api.webhooks.get(endpointId),
      api.webhooks.shape(endpointId),
    ]);
    const inputs = await inputsOf(api, endpoint.workflowId);
    return http.html(<ShapePage endpoint={endpoint} shape={shape} inputs={inputs} />);
  });
}

function ShapePage({
  endpoint,
  shape,
  inputs,
}: {
  endpoint: EndpointRecord;
  shape: z.output<typeof learnedShape>;
  inputs: readonly WorkflowInput[];
}) {
  const { learnedFrom, drifted, schema, mapping, notes } = shape;
  const rules = endpointPath(endpoint.endpointId, "/rules?use=");
  if (learnedFrom === 0) {
    return (
      <EndpointPage endpoint={endpoint} tab="shape">
        <Empty title="Nothing was learned yet">
          <p class="narrow">
            With the first payload that it accepts, the endpoint begins to learn what its payloads
            look like: a schema to check later ones by, and a mapping for the workflow.
          </p>
          <p>
            <a class="button" href={endpointPath(endpoint.endpointId)}>
              Send it something
            </a>
          </p>
        </Empty>
      </EndpointPage>
    );
  }
  return (
    <EndpointPage
      endpoint={endpoint}
      tab="shape"
      actions={
        <a class="button primary" href={`${rules}both`}>
          Draft validation and mapping
        </a>
      }
    >
      <p>{`Learned from ${learnedFrom === 1 ? "1 payload" : `${learnedFrom} payloads`}. ${driftWords(drifted)}`}</p>
      <section class="part">
        <div class="section-head">
          <h2>Schema</h2>
          <a href={`${rules}validation`}>Use as validation draft</a>
        </div>
        <div class="card">
          <JsonView value={schema} />
        </div>
      </section>
      <section class="part">
        <div class="section-head">
          <h2>Suggested mapping</h2>
          <a href={`${rules}mapping`}>Use as mapping draft</a>
        </div>
        <MappedTable mapping={mapping} inputs={inputs} />
        {notes.length > 0 && (
          <ul class="told">
            {notes.map((note) => (
              <li>{note}</li>
            ))}
          </ul>
        )}
      </section>
    </EndpointPage>
  );
}

function driftWords(drifted: number): string {
  if (drifted === 0) return "None in the log differs from what was learned before it.";
  return drifted === 1
    ? "1 in the log differed from what was learned before it."
    : `${drifted} in the log differed from what was learned before them.`;
}
