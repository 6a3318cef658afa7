import * as z from "zod";
import type { CaseMoment, CaseRecord } from "../../contract/webhooks/case.ts";
import { Badge, Facts, LinkButton, NextPage, NoValue, Time } from "../components/elements.tsx";
import { show } from "../components/layout.tsx";
import { serveFilteredList } from "../components/list-page.tsx";
import { type Column, RowLink, sumColumn, TablePart } from "../components/table.tsx";
import { type Dashboard, endpointIdOf } from "../context.ts";
import { pageNotFound } from "../error-page.tsx";
import { formatCount } from "../format.ts";
import { field } from "../forms/form.ts";
import { casePath, endpointPath, executionPath, requestPath, WEBHOOKS } from "../paths.ts";
import { ON_EVENT_LABELS } from "./rules/rules-form.ts";
import { EndpointPage } from "./webhooks/endpoint-layout.tsx";

/** Serves the cases of an endpoint, and each with its events and executions in one timeline. */
export function serveCases(app: Dashboard): void {
  serveFilteredList(app, {
    title: "Cases",
    section: "webhooks",
    path: `${WEBHOOKS}/:endpointId/cases`,
    filter: () => ({
      schema: z.object({ key: z.string().exactOptional() }),
      fields: { key: field.line("Key") },
    }),
    search: "key",
    load: async ({ webhooks }, query, http) => {
      const page = await webhooks.cases(endpointIdOf(http), query);
      // The next page of a key has earlier events, which the page of a case shows.
      return { ...page, ...(query.key !== undefined && { nextCursor: null }) };
    },
    rowsOf: ({ cases }) => cases,
    around: (http) => http.get("api").webhooks.get(endpointIdOf(http)),
    columns: COLUMNS,
    empty: {
      title: "No cases yet",
      text: "A case holds the events that share the key of a route, such as those of one pull request: one execution is live at a time, in the order of arrival.",
      button: <LinkButton href="/docs#updateEndpoint">Add a key to a route</LinkButton>,
    },
    frame: ({ around: endpoint, live, content }) => (
      <EndpointPage endpoint={endpoint} tab="cases" live={live}>
        {content}
      </EndpointPage>
    ),
  });

  app.get("/webhooks/:endpointId/case", async (http) => {
    const { webhooks } = http.get("api");
    const endpointId = http.req.param("endpointId");
    const { key = "", route = "", cursor } = http.req.query();
    if (key === "" || route === "") return pageNotFound(http);
    const [endpoint, { cases, nextCursor }] = await Promise.all([
      webhooks.get(endpointId),
      webhooks.cases(endpointId, { key, route, ...(cursor && { cursor }) }),
    ]);
    const [record] = cases;
    if (record === undefined) return pageNotFound(http);
    const { onEvent, executionId, waiting, timeline } = record;
    return show(
      http,
      <EndpointPage endpoint={endpoint} tab="cases">
        <div class="section-head">
          <h2>{key}</h2>
          <LinkButton href={endpointPath(endpointId, "/cases")}>View all cases</LinkButton>
        </div>
        <section class="card" aria-label="State of the case">
          <Facts
            facts={[
              ["Route", route],
              ["Further events", ON_EVENT_LABELS[onEvent]],
              ["Live execution", <ExecutionLink executionId={executionId} />],
              ["Waiting", formatCount(waiting, "event")],
            ]}
          />
        </section>
        <TablePart
          title="Timeline"
          columns={momentsOf(endpointId)}
          rows={timeline}
          nothing="No events."
        >
          <NextPage
            href={
              nextCursor && `${casePath(record)}&${new URLSearchParams({ cursor: nextCursor })}`
            }
          />
        </TablePart>
      </EndpointPage>,
    );
  });
}

const momentsOf = (endpointId: string): Column<CaseMoment>[] => [
  { name: "Time", cell: ({ at }) => <Time at={at} /> },
  {
    name: "What happened",
    is: "wrap",
    cell: (moment) =>
      moment.type === "event" ? (
        <a href={requestPath(endpointId, moment.requestId)}>{moment.eventType ?? "Event"}</a>
      ) : (
        `Execution ${moment.type === "execution.started" ? "started" : "ended"}`
      ),
  },
  { name: "Execution", cell: ({ executionId }) => <ExecutionLink executionId={executionId} /> },
  {
    name: "State",
    cell: (moment) => moment.type !== "execution.started" && <Badge state={moment.status} />,
  },
];

const COLUMNS: Column<CaseRecord>[] = [
  {
    name: "Key",
    is: "wrap",
    cell: (record) => <RowLink href={casePath(record)}>{record.key}</RowLink>,
  },
  { name: "Route", cell: ({ route }) => route },
  {
    name: "Live execution",
    cell: ({ executionId }) => <ExecutionLink executionId={executionId} />,
  },
  { name: "Further events", cell: ({ onEvent }) => ON_EVENT_LABELS[onEvent] },
  sumColumn("Waiting", ({ waiting }) => waiting),
  { name: "Updated", cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];

function ExecutionLink({ executionId }: { executionId: string | null }) {
  if (executionId === null) return <NoValue />;
  return (
    <a href={executionPath(executionId)}>
      <code>{executionId}</code>
    </a>
  );
}
