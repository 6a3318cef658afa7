import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import { Badge, DataTable, Empty, NextPage } from "../../components/elements.tsx";
import { Layout } from "../../components/layout.tsx";
import type { WorkflowNames } from "../../lookups.ts";
import { endpointPath, WEBHOOKS } from "../../paths.ts";
import { senderOf } from "./senders.ts";

/** What changes stands first: on a narrow screen the URL's end may be out of sight. */
const COLUMNS = ["Name", "State", "Held", "Log", "Workflow", "Sender", "URL"];

/** The account's endpoints, or how to come to a first one. */
export function EndpointsPage({
  endpoints,
  workflowNames,
  nextCursor,
  isFirstPage,
}: {
  endpoints: EndpointRecord[];
  workflowNames: WorkflowNames;
  nextCursor: string | null;
  isFirstPage: boolean;
}) {
  return (
    <Layout
      title="Webhooks"
      section="webhooks"
      actions={
        <a class="button primary" href={`${WEBHOOKS}/new`}>
          New endpoint
        </a>
      }
    >
      {endpoints.length === 0 && isFirstPage ? (
        <NoEndpoints />
      ) : (
        <>
          <DataTable label="Endpoints" columns={COLUMNS}>
            {endpoints.map((endpoint) => (
              <EndpointRow endpoint={endpoint} workflowNames={workflowNames} />
            ))}
          </DataTable>
          <NextPage href={nextCursor && `${WEBHOOKS}?cursor=${encodeURIComponent(nextCursor)}`} />
        </>
      )}
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
      <td class="named">
        <a href={endpointPath(endpointId)}>{name}</a>
      </td>
      <td>
        <Badge state={enabled ? "enabled" : "disabled"} />
      </td>
      <td>{queuedCount ?? "?"}</td>
      <td>
        <a href={endpointPath(endpointId, "/requests")} aria-label={`Requests of ${name}`}>
          Requests
        </a>
      </td>
      <td class="wrap">
        {workflowId === null ? (
          <span class="muted">none: it holds</span>
        ) : (
          <a href={`/dashboard/workflows/${workflowId}`}>
            {workflowNames.get(workflowId) ?? workflowId}
          </a>
        )}
      </td>
      <td class="keep">{senderOf(endpoint).name}</td>
      <td class="address">
        <code>{url}</code>
      </td>
    </tr>
  );
}

function NoEndpoints() {
  return (
    <Empty title="An endpoint is a URL that starts a workflow">
      <p class="narrow">
        Give it to GitHub, Stripe, Slack or anything else that sends webhooks. Prompthook checks who
        sent it, takes each event once, and hands the workflow what it needs of it. Without a
        workflow it holds what comes in, and you see it all.
      </p>
      <p>
        <a class="button primary" href={`${WEBHOOKS}/new`}>
          Make a first endpoint
        </a>
      </p>
    </Empty>
  );
}
