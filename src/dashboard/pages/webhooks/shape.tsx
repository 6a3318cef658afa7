import type * as z from "zod";
import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import type { learnedShape } from "../../../contract/inbound/trials.ts";
import type { WorkflowInput } from "../../../contract/workflow.ts";
import { Empty } from "../../components/elements.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { show } from "../../components/reader.tsx";
import type { Dashboard } from "../../context.ts";
import { formatCount } from "../../format.ts";
import { inputsOf } from "../../lookups.ts";
import { endpointPath } from "../../paths.ts";
import { EndpointPage } from "./endpoint-layout.tsx";
import { MappedTable } from "./mapped-table.tsx";

/** The shape that the endpoint learned from the payloads it accepted. */
export function serveShape(app: Dashboard): void {
  app.get("/webhooks/:endpointId/shape", async (http) => {
    const api = http.get("api");
    const endpointId = http.req.param("endpointId");
    const [endpoint, shape] = await Promise.all([
      api.webhooks.get(endpointId),
      api.webhooks.shape(endpointId),
    ]);
    const inputs = await inputsOf(api, endpoint.workflowId);
    return show(http, <ShapePage endpoint={endpoint} shape={shape} inputs={inputs} />);
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
        <Empty title="No learned shape yet">
          <p class="narrow">
            The endpoint learns a schema and a mapping from the payloads that it accepts.
          </p>
          <p>
            <a class="button" href={endpointPath(endpoint.endpointId)}>
              Send a request
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
          Draft rules
        </a>
      }
    >
      <p>{`Learned from ${formatCount(learnedFrom, "payload")}. ${driftText(drifted)}`}</p>
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

function driftText(drifted: number): string {
  return drifted === 0
    ? "No logged request differs from the shape."
    : `${formatCount(drifted, "logged request")} differed from the shape.`;
}
