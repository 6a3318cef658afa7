import type { LogEntry } from "../../../contract/webhooks/log.ts";
import { Badge, NoValue } from "../../components/elements.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { casePath, executionPath } from "../../paths.ts";

const columnsFor = ({ endpointId }: LogEntry): Column<LogEntry["routes"][number]>[] => [
  { name: "Route", is: "wrap", isBare: true, cell: ({ name }) => name },
  {
    name: "Result",
    isBare: true,
    cell: ({ matched, status }) => {
      if (!matched) return <Badge state="none" label="not matched" />;
      return <Badge state={status ?? "queued"} />;
    },
  },
  { name: "Reason", is: "wrap", cell: ({ reason }) => reason },
  {
    name: "Case",
    cell: ({ name, key }) => {
      if (key === null) return <NoValue />;
      return <a href={casePath({ endpointId, route: name, key })}>{key}</a>;
    },
  },
  {
    name: "Execution",
    cell: ({ executionId }) => {
      if (executionId === null) return <NoValue />;
      return <a href={executionPath(executionId)}>View execution</a>;
    },
  },
];

/** What each route of the endpoint made of a request; nothing for an endpoint without routes. */
export function MatchedRoutes({ entry }: { entry: LogEntry }) {
  if (entry.routes.length === 0) return null;
  return (
    <section class="card" aria-labelledby="matched-routes">
      <h2 id="matched-routes">Routes</h2>
      <Table label="Routes" columns={columnsFor(entry)} rows={entry.routes} />
    </section>
  );
}
