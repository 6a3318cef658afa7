import * as z from "zod";
import type { Prompthook } from "../../../client/prompthook.ts";
import type { CaseRecord } from "../../../contract/webhooks/case.ts";
import type { WaiterRecord } from "../../../contract/webhooks/waiter.ts";
import { LinkButton, NoValue, Time } from "../../components/elements.tsx";
import { serveFilteredList } from "../../components/list-page.tsx";
import { show } from "../../components/reader.tsx";
import { type Column, RowLink, Table } from "../../components/table.tsx";
import { type Dashboard, endpointIdOf, type Page } from "../../context.ts";
import { pageNotFound } from "../../error-page.tsx";
import { fingerprint, livePath, streamFollowed } from "../../live.ts";
import { casePath, executionPath, WEBHOOKS } from "../../paths.ts";
import { conditionText } from "../webhooks/condition-text.ts";
import { EndpointPage } from "../webhooks/endpoint-layout.tsx";
import { ON_EVENT_LABELS } from "../webhooks/endpoint-routes.tsx";
import { CasePage } from "./case-page.tsx";

/** The cases of an endpoint and what waits for its events. */
export function serveCases(app: Dashboard): void {
  serveFilteredList(app, {
    title: "Cases",
    section: "webhooks",
    path: `${WEBHOOKS}/:endpointId/cases`,
    filter: () => ({
      schema: z.object({ key: z.string().exactOptional() }),
      fields: { key: { kind: "line", label: "Key" } },
    }),
    search: "key",
    load: async ({ webhooks }, query, http) => {
      const endpointId = endpointIdOf(http);
      const [page, { waiters }] = await Promise.all([
        webhooks.cases(endpointId, query),
        webhooks.waiters(endpointId),
      ]);
      // The next page of a key has earlier events, which the page of a case shows.
      return { ...page, ...(query.key !== undefined && { nextCursor: null }), waiters };
    },
    rowsOf: ({ cases }) => cases,
    around: (http) => http.get("api").webhooks.get(endpointIdOf(http)),
    columns: () => COLUMNS,
    empty: {
      title: "No cases yet",
      text: "A case holds the events that share the key of a route, such as those of one pull request: one execution is live at a time, in the order of arrival.",
      button: <LinkButton href="/docs#updateEndpoint">Add a key to a route</LinkButton>,
    },
    frame: ({ around: endpoint, loaded, live, content }) => (
      <EndpointPage endpoint={endpoint} tab="cases" live={live}>
        {content}
        <Waiters waiters={loaded?.waiters ?? []} />
      </EndpointPage>
    ),
  });

  app.get("/webhooks/:endpointId/case", async (http) => {
    const endpointId = http.req.param("endpointId");
    const cursor = http.req.query("cursor");
    const [endpoint, { record, nextCursor }] = await Promise.all([
      http.get("api").webhooks.get(endpointId),
      caseOf(http, cursor),
    ]);
    if (record === null) return pageNotFound(http);
    // Earlier events do not change.
    const live = cursor ? null : livePath(casePath(record, "/live"), await fingerprint(record));
    return show(
      http,
      <CasePage endpoint={endpoint} record={record} nextCursor={nextCursor} live={live} />,
    );
  });

  app.get("/webhooks/:endpointId/case/live", async (http) => {
    const endpointId = http.req.param("endpointId");
    await http.get("api").webhooks.get(endpointId);
    return streamFollowed(http, async () => (await caseOf(http)).record, endpointId);
  });
}

/** Returns the case of a route and a key that the address names, or null, with a stretch of its events. */
async function caseOf(http: Page, cursor?: string) {
  const api: Prompthook = http.get("api");
  const { key = "", route = "" } = http.req.query();
  if (key === "" || route === "") return { record: null, nextCursor: null };
  const endpointId = http.req.param("endpointId") ?? "";
  const query = { key, route, ...(cursor && { cursor }) };
  const { cases, nextCursor } = await api.webhooks.cases(endpointId, query);
  return { record: cases[0] ?? null, nextCursor };
}

const COLUMNS: Column<CaseRecord>[] = [
  {
    name: "Key",
    is: "wrap",
    isBare: true,
    cell: (record) => <RowLink href={casePath(record)}>{record.key}</RowLink>,
  },
  { name: "Route", cell: ({ route }) => route },
  {
    name: "Live execution",
    cell: ({ executionId }) => <ExecutionLink executionId={executionId} />,
  },
  { name: "Further events", cell: ({ onEvent }) => ON_EVENT_LABELS[onEvent] },
  { name: "Waiting", is: "num", cell: ({ waiting }) => waiting },
  { name: "Updated", cell: ({ updatedAt }) => <Time at={updatedAt} /> },
];

const WAITER_COLUMNS: Column<WaiterRecord>[] = [
  {
    name: "Execution",
    isBare: true,
    cell: ({ executionId }) => <ExecutionLink executionId={executionId} />,
  },
  { name: "Waits for", is: "wrap", cell: ({ when }) => <code>{conditionText(when)}</code> },
  {
    name: "Wakes",
    cell: ({ wake }) => (wake === "one" ? "this execution alone" : "all that wait"),
  },
  { name: "Until", cell: ({ until }) => <Time at={until} /> },
];

/** The executions that wait for an event; nothing without any. */
function Waiters({ waiters }: { waiters: WaiterRecord[] }) {
  if (waiters.length === 0) return null;
  return (
    <section class="part" aria-labelledby="waiters">
      <h2 id="waiters">Waiting executions</h2>
      <Table label="Waiting executions" columns={WAITER_COLUMNS} rows={waiters} />
    </section>
  );
}

function ExecutionLink({ executionId }: { executionId: string | null }) {
  if (executionId === null) return <NoValue />;
  return (
    <a href={executionPath(executionId)}>
      <code>{`${executionId.slice(0, 8)}…${executionId.slice(-4)}`}</code>
    </a>
  );
}
