import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import { Badge } from "../../components/elements.tsx";
import { serveList } from "../../components/list-page.tsx";
import { type Column, RowLink, sumColumn } from "../../components/table.tsx";
import type { Dashboard } from "../../context.ts";
import { formatCount } from "../../format.ts";
import { type WorkflowNames, workflowNamesFor } from "../../lookups.ts";
import { endpointPath, WEBHOOKS, workflowPath } from "../../paths.ts";
import { serveRevisions } from "../revisions.tsx";
import { serveRules } from "../rules/routes.tsx";
import { showOnce, withoutWorkflowText } from "./endpoint-layout.tsx";
import { serveEndpoint, serveHeld } from "./endpoint-page.tsx";
import { serveNewEndpoint } from "./new-endpoint.tsx";
import { senderOf } from "./senders.ts";
import { serveSettings } from "./settings.tsx";
import { serveTry } from "./try.tsx";

/** The account's endpoints and their pages, except for the request log. */
export function serveWebhooks(app: Dashboard): void {
  serveEndpointList(app);
  serveNewEndpoint(app);
  serveEndpoint(app);
  serveHeld(app);
  serveRevisions(app, {
    section: "webhooks",
    pathOf: endpointPath,
    scope: "webhooks:write",
    unchanged: "Secrets stay the current ones; one that the endpoint no longer has is generated.",
    calls: ({ webhooks }) => webhooks,
    restored: (http, _, endpoint) => showOnce(http, endpoint, "restored"),
  });
  serveSettings(app);
  serveTry(app);
  serveRules(app);
}

const columnsWith = (workflowNames: WorkflowNames): Column<EndpointRecord>[] => [
  { name: "State", cell: ({ enabled }) => <Badge state={enabled ? "enabled" : "disabled"} /> },
  {
    name: "Endpoint",
    is: "wrap",
    cell: ({ endpointId, name, url }) => (
      <>
        <RowLink href={endpointPath(endpointId)}>{name}</RowLink>
        <div class="muted address">
          <code>{url}</code>
        </div>
      </>
    ),
  },
  { name: "Sender", is: "keep", cell: (endpoint) => senderOf(endpoint).name },
  {
    name: "Starts",
    is: "name",
    cell: (endpoint) => {
      const { workflowId, routing } = endpoint;
      if (routing !== null) return formatCount(routing.routes.length, "route");
      if (workflowId === null) return <span class="muted">{withoutWorkflowText(endpoint)}</span>;
      return <a href={workflowPath(workflowId)}>{workflowNames.get(workflowId) ?? workflowId}</a>;
    },
  },
  sumColumn("Held", ({ queuedCount }) => queuedCount),
];

/** Serves the list of the account's endpoints. */
function serveEndpointList(app: Dashboard): void {
  serveList(app, {
    section: "webhooks",
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
