import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import { Badge } from "../../components/elements.tsx";
import { type Column, RowLink } from "../../components/table.tsx";
import type { Dashboard } from "../../context.ts";
import { formatCount } from "../../format.ts";
import { type WorkflowNames, workflowNamesFor } from "../../lookups.ts";
import { endpointPath, WEBHOOKS, workflowPath } from "../../paths.ts";
import { serveList } from "../resource.tsx";
import { senderOf } from "./senders.ts";

const columnsWith = (workflowNames: WorkflowNames): Column<EndpointRecord>[] => [
  {
    name: "State",
    isBare: true,
    cell: ({ enabled }) => <Badge state={enabled ? "enabled" : "disabled"} />,
  },
  {
    name: "Endpoint",
    is: "wrap",
    isBare: true,
    cell: ({ endpointId, name, url }) => (
      <>
        <RowLink href={endpointPath(endpointId)}>{name}</RowLink>
        <div class="muted address">
          <code>{url}</code>
        </div>
      </>
    ),
  },
  { name: "Sender", is: "keep", isBare: true, cell: (endpoint) => senderOf(endpoint).name },
  {
    name: "Starts",
    isBare: true,
    cell: ({ workflowId, routing }) => {
      if (routing !== null) return formatCount(routing.routes.length, "route");
      if (workflowId === null) {
        return <span class="muted">No workflow (requests are held)</span>;
      }
      return <a href={workflowPath(workflowId)}>{workflowNames.get(workflowId) ?? workflowId}</a>;
    },
  },
  { name: "Held", is: "num", cell: ({ queuedCount }) => queuedCount ?? "?" },
  {
    name: "Requests",
    isBare: true,
    cell: ({ endpointId, name }) => (
      <a href={endpointPath(endpointId, "/requests")} aria-label={`View requests of ${name}`}>
        View requests
      </a>
    ),
  },
];

/** Serves the list of the account's endpoints. */
export function serveEndpointList(app: Dashboard): void {
  serveList(app, {
    title: "Webhooks",
    section: "webhooks",
    path: WEBHOOKS,
    load: (api, query) => api.webhooks.list(query),
    rowsOf: ({ endpoints }) => endpoints,
    around: (http, endpoints) => workflowNamesFor(http.get("api"), endpoints),
    columns: columnsWith,
    action: { scope: "webhooks:write", href: `${WEBHOOKS}/new`, children: "Create endpoint" },
    empty: {
      title: "No endpoints yet",
      text: "An endpoint is a URL that receives webhooks from a sender and starts a workflow for each.",
    },
  });
}
