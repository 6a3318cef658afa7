import type { ExecutionRow } from "../../../contract/execution.ts";
import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import { Badge, DataTable, Time } from "../../components/parts.tsx";
import { ORIGINS, sentencesOf } from "../executions/words.ts";

/** The workflow's latest executions. */
export function WorkflowRuns({
  workflowId,
  executions,
}: {
  workflowId: string;
  executions: ExecutionRow[] | null;
}) {
  return (
    <section class="part">
      <div class="section-head">
        <h2>Latest executions</h2>
        {executions !== null && executions.length > 0 && (
          <a href={`/dashboard/executions?workflowId=${workflowId}`}>All of them</a>
        )}
      </div>
      {executions === null ? (
        <p class="muted">The key of this session may not read executions.</p>
      ) : executions.length === 0 ? (
        <p class="muted">It has not run yet.</p>
      ) : (
        <DataTable
          label="Latest executions"
          columns={["Created", "Status", "Started by", "Summary", "Credits"]}
        >
          {executions.map((row) => (
            <tr>
              <td>
                <a href={`/dashboard/executions/${row.executionId}`}>
                  <Time at={row.createdAt} />
                </a>
              </td>
              <td>
                <Badge state={row.status} />
              </td>
              <td>{ORIGINS[row.origin]}</td>
              <td class="wrap">
                {row.summary === null ? (
                  <span class="muted">–</span>
                ) : (
                  sentencesOf(row.summary, 160)
                )}
              </td>
              <td>{row.creditsConsumed}</td>
            </tr>
          ))}
        </DataTable>
      )}
    </section>
  );
}

/** The endpoints that the workflow is attached to. */
export function WorkflowEndpoints({
  workflowId,
  endpoints,
}: {
  workflowId: string;
  endpoints: EndpointRecord[] | null;
}) {
  return (
    <section class="part">
      <div class="section-head">
        <h2>Endpoints</h2>
        <a href={`/dashboard/webhooks/new?workflowId=${workflowId}`}>New endpoint for it</a>
      </div>
      {endpoints === null ? (
        <p class="muted">The key of this session may not read endpoints.</p>
      ) : endpoints.length === 0 ? (
        <p class="muted">No webhook starts it yet.</p>
      ) : (
        <DataTable label="Endpoints" columns={["Name", "URL", "State"]}>
          {endpoints.map(({ endpointId, name, url, enabled }) => (
            <tr>
              <td class="named">
                <a href={`/dashboard/webhooks/${endpointId}`}>{name}</a>
              </td>
              <td class="address">
                <code>{url}</code>
              </td>
              <td>
                <Badge state={enabled ? "enabled" : "disabled"} />
              </td>
            </tr>
          ))}
        </DataTable>
      )}
    </section>
  );
}
