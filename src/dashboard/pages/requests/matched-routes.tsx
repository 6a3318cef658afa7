import type { LogEntry } from "../../../contract/inbound/log.ts";
import { Badge, DataTable, NoValue } from "../../components/elements.tsx";
import { casePath, executionPath } from "../../paths.ts";

const COLUMNS = ["Route", "Result", "Reason", "Case", "Execution"];

/** What each route of the endpoint made of a request; nothing for an endpoint without routes. */
export function MatchedRoutes({ entry: { routes, endpointId } }: { entry: LogEntry }) {
  if (routes.length === 0) return null;
  return (
    <section class="card snug" aria-labelledby="matched-routes">
      <h2 id="matched-routes">Routes</h2>
      <DataTable label="Routes" columns={COLUMNS}>
        {routes.map(({ name, matched, reason, key, executionId, status }) => (
          <tr>
            <td class="wrap">{name}</td>
            <td>
              {matched ? (
                <Badge state={status ?? "queued"} />
              ) : (
                <Badge state="none" label="not matched" />
              )}
            </td>
            <td class="wrap" data-label="Reason">
              {reason}
            </td>
            <td data-label="Case">
              {key === null ? (
                <NoValue />
              ) : (
                <a href={casePath({ endpointId, route: name, key })}>{key}</a>
              )}
            </td>
            <td data-label="Execution">
              {executionId === null ? (
                <NoValue />
              ) : (
                <a href={executionPath(executionId)}>View execution</a>
              )}
            </td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}
