import type { Prompthook } from "../../../client/prompthook.ts";
import type { CaseRecord } from "../../../contract/webhooks/case.ts";
import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import type { WaiterRecord } from "../../../contract/webhooks/waiter.ts";
import { Empty, LinkButton, NextPage, NoValue, Time } from "../../components/elements.tsx";
import { show } from "../../components/reader.tsx";
import { type Column, RowLink, Table } from "../../components/table.tsx";
import type { Dashboard, Page } from "../../context.ts";
import { pageNotFound } from "../../error-page.tsx";
import { fingerprint, listLivePath, livePath, streamFollowed } from "../../live.ts";
import { casePath, endpointPath, executionPath } from "../../paths.ts";
import { conditionText } from "../webhooks/condition-text.ts";
import { EndpointPage } from "../webhooks/endpoint-layout.tsx";
import { ON_EVENT_LABELS } from "../webhooks/endpoint-routes.tsx";
import { CasePage } from "./case-page.tsx";

/** The cases of an endpoint and what waits for its events. */
export function serveCases(app: Dashboard): void {
  app.get("/webhooks/:endpointId/cases", async (http) => {
    const { webhooks } = http.get("api");
    const endpointId = http.req.param("endpointId");
    const search = (http.req.query("key") ?? "").trim();
    const cursor = http.req.query("cursor");
    const query = { ...(search !== "" && { key: search }), ...(cursor && { cursor }) };
    const [endpoint, page, { waiters }] = await Promise.all([
      webhooks.get(endpointId),
      webhooks.cases(endpointId, query),
      webhooks.waiters(endpointId),
    ]);
    const shown = { cases: page.cases, waiters };
    const path = endpointPath(endpointId, "/cases");
    const live = search === "" ? await listLivePath(path, cursor, shown) : null;
    return show(
      http,
      <CasesPage endpoint={endpoint} {...page} waiters={waiters} search={search} live={live} />,
    );
  });

  app.get("/webhooks/:endpointId/cases/live", async (http) => {
    const { webhooks } = http.get("api");
    const endpointId = http.req.param("endpointId");
    await webhooks.get(endpointId);
    return streamFollowed(
      http,
      async () => {
        const [{ cases }, { waiters }] = await Promise.all([
          webhooks.cases(endpointId),
          webhooks.waiters(endpointId),
        ]);
        return { cases, waiters };
      },
      endpointId,
    );
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

/** The cases of an endpoint, and the executions that wait for its events. */
function CasesPage({
  endpoint,
  cases,
  waiters,
  nextCursor,
  search,
  live,
}: {
  endpoint: EndpointRecord;
  cases: CaseRecord[];
  waiters: WaiterRecord[];
  nextCursor: string | null;
  /** The key that the list is searched for; empty for all. */
  search: string;
  live: string | null;
}) {
  const { endpointId } = endpoint;
  const path = endpointPath(endpointId, "/cases");
  // The next page of a key has earlier events, which the page of a case shows.
  const older =
    search === "" && nextCursor !== null
      ? `${path}?${new URLSearchParams({ cursor: nextCursor })}`
      : null;
  return (
    <EndpointPage endpoint={endpoint} tab="cases" live={live}>
      {(cases.length > 0 || search !== "") && (
        <form method="get" action={path} class="filter">
          <div class="filter-head">
            <input type="search" name="key" value={search} aria-label="Key" placeholder="Key" />
            <button type="submit">Search cases</button>
          </div>
        </form>
      )}
      {cases.length === 0 ? (
        <NoCases path={path} search={search} />
      ) : (
        <Table label="Cases" columns={COLUMNS} rows={cases} />
      )}
      <NextPage href={older} />
      <Waiters waiters={waiters} />
    </EndpointPage>
  );
}

function NoCases({ path, search }: { path: string; search: string }) {
  if (search !== "") {
    return (
      <Empty title="No case has this key">
        <LinkButton href={path}>View all cases</LinkButton>
      </Empty>
    );
  }
  return (
    <Empty title="No cases yet">
      <p class="narrow">
        A case holds the events that share the key of a route, such as those of one pull request:
        one execution is live at a time, in the order of arrival.
      </p>
      <LinkButton href="/docs#updateEndpoint">Add a key to a route</LinkButton>
    </Empty>
  );
}

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
