import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import type { LogEntry } from "../../../contract/inbound/log.ts";
import type { WorkflowRecord } from "../../../contract/workflow.ts";
import { DataTable, NoValue, Time } from "../../components/elements.tsx";
import { formatCount } from "../../format.ts";
import { endpointPath, requestPath, workflowPath } from "../../paths.ts";
import { conditionText } from "./condition-text.ts";

type Routes = NonNullable<EndpointRecord["routing"]>["routes"];

/** The latest requests of which the page counts what each route matched. */
export const COUNTED_REQUESTS = 50;

/** The routes of an endpoint, with what each matched among its latest requests, the newest first. */
export function EndpointRoutes({
  endpointId,
  routes,
  workflows,
  entries,
}: {
  endpointId: string;
  routes: Routes;
  workflows: readonly WorkflowRecord[];
  entries: readonly LogEntry[];
}) {
  const judged = entries.filter((entry) => entry.routes.length > 0);
  const columns = ["Route", "Condition", "Case", `Matched of ${judged.length}`, "Last match"];
  return (
    <section class="part" aria-labelledby="routes">
      <div class="section-head">
        <h2 id="routes">Routes</h2>
        <span class="muted">
          {judged.length === 0
            ? "Every route that matches a request starts an execution."
            : `Matches among the latest ${formatCount(judged.length, "request")}.`}
        </span>
      </div>
      <DataTable label="Routes" columns={columns} numeric={[3]}>
        {routes.map((route) => (
          <RouteRow
            endpointId={endpointId}
            route={route}
            workflow={workflows.find(({ workflowId }) => workflowId === route.workflowId)}
            matches={judged.filter((entry) => isMatch(entry, route.name))}
          />
        ))}
      </DataTable>
    </section>
  );
}

const isMatch = ({ routes }: LogEntry, name: string): boolean =>
  routes.some((route) => route.name === name && route.matched);

function RouteRow({
  endpointId,
  route: { name, when, workflowId, key, onEvent = "queue" },
  workflow,
  matches,
}: {
  endpointId: string;
  route: Routes[number];
  workflow: WorkflowRecord | undefined;
  matches: readonly LogEntry[];
}) {
  const [latest] = matches;
  return (
    <tr>
      <td class="wrap">
        <strong>{name}</strong>
        <div>
          <span class="muted">starts </span>
          <a href={workflowPath(workflowId)}>{workflow?.name ?? workflowId}</a>
        </div>
      </td>
      <td class="wrap" data-label="Condition">
        {when === undefined ? "every request" : <code>{conditionText(when)}</code>}
      </td>
      <td data-label="Case">
        {key === undefined ? (
          <NoValue />
        ) : (
          <>
            <code>{"template" in key ? key.template : key.path}</code>
            <div>
              <a href={endpointPath(endpointId, "/cases")}>{ON_EVENT_LABELS[onEvent]}</a>
            </div>
          </>
        )}
      </td>
      <td class="num" data-label="Matched">
        {matches.length}
      </td>
      <td data-label="Last match">
        {latest === undefined ? (
          <NoValue />
        ) : (
          <a href={requestPath(endpointId, latest.requestId)}>
            <Time at={latest.receivedAt} />
          </a>
        )}
      </td>
    </tr>
  );
}

/** What a further event of a live case does. */
export const ON_EVENT_LABELS = {
  queue: "Queued",
  message: "Sent as message",
  collect: "Collected",
  replace: "Replaces",
} as const;
