import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import { Badge, DataTable, Empty, NextPage } from "../../components/elements.tsx";
import { Layout } from "../../components/layout.tsx";
import { Action } from "../../components/reader.tsx";
import type { WorkflowNames } from "../../lookups.ts";
import { endpointPath, nextPath, WEBHOOKS, workflowPath } from "../../paths.ts";
import { senderOf } from "./senders.ts";

const COLUMNS = ["State", "Endpoint", "Sender", "Workflow", "Held", "Requests"];

/** The account's endpoints. */
export function EndpointsPage({
  endpoints,
  workflowNames,
  nextCursor,
  live,
}: {
  endpoints: EndpointRecord[];
  workflowNames: WorkflowNames;
  nextCursor: string | null;
  /** Null for older pages. */
  live: string | null;
}) {
  if (endpoints.length === 0 && live !== null) {
    return (
      <Layout title="Webhooks" section="webhooks" live={live}>
        <NoEndpoints />
      </Layout>
    );
  }
  return (
    <Layout
      title="Webhooks"
      section="webhooks"
      live={live}
      actions={
        <Action scope="webhooks:write" href={`${WEBHOOKS}/new`}>
          Create endpoint
        </Action>
      }
    >
      <DataTable label="Endpoints" columns={COLUMNS} numeric={[4]}>
        {endpoints.map((endpoint) => (
          <EndpointRow endpoint={endpoint} workflowNames={workflowNames} />
        ))}
      </DataTable>
      <NextPage href={nextPath(WEBHOOKS, nextCursor)} />
    </Layout>
  );
}

function EndpointRow({
  endpoint,
  workflowNames,
}: {
  endpoint: EndpointRecord;
  workflowNames: WorkflowNames;
}) {
  const { endpointId, name, url, workflowId, enabled, queuedCount } = endpoint;
  return (
    <tr>
      <td>
        <Badge state={enabled ? "enabled" : "disabled"} />
      </td>
      <td class="wrap">
        <a class="row-link" href={endpointPath(endpointId)}>
          {name}
        </a>
        <div class="muted address">
          <code>{url}</code>
        </div>
      </td>
      <td class="keep">{senderOf(endpoint).name}</td>
      <td>
        {workflowId === null ? (
          <span class="muted">No workflow (requests are held)</span>
        ) : (
          <a href={workflowPath(workflowId)}>{workflowNames.get(workflowId) ?? workflowId}</a>
        )}
      </td>
      <td class="num" data-label="Held">
        {queuedCount ?? "?"}
      </td>
      <td>
        <a href={endpointPath(endpointId, "/requests")} aria-label={`View requests of ${name}`}>
          View requests
        </a>
      </td>
    </tr>
  );
}

function NoEndpoints() {
  return (
    <Empty title="No endpoints yet">
      <p class="narrow">
        An endpoint is a URL that receives webhooks from a sender and starts a workflow for each.
      </p>
      <p>
        <Action scope="webhooks:write" href={`${WEBHOOKS}/new`}>
          Create endpoint
        </Action>
      </p>
    </Empty>
  );
}
