import type { CaseRecord } from "../../../contract/inbound/case.ts";
import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import type { WaiterRecord } from "../../../contract/inbound/waiter.ts";
import { DataTable, Empty, NextPage, NoValue, Time } from "../../components/elements.tsx";
import { casePath, endpointPath, executionPath } from "../../paths.ts";
import { conditionText } from "../webhooks/condition-text.ts";
import { EndpointPage } from "../webhooks/endpoint-layout.tsx";
import { ON_EVENT_LABELS } from "../webhooks/endpoint-routes.tsx";

const COLUMNS = ["Key", "Route", "Live execution", "Further events", "Waiting", "Updated"];

/** The cases of an endpoint, and the executions that wait for its events. */
export function CasesPage({
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
  const older = nextCursor && `${path}?${new URLSearchParams({ cursor: nextCursor })}`;
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
        <DataTable label="Cases" columns={COLUMNS} numeric={[4]}>
          {cases.map((one) => (
            <CaseRow record={one} />
          ))}
        </DataTable>
      )}
      <NextPage href={older} />
      <Waiters waiters={waiters} />
    </EndpointPage>
  );
}

function CaseRow({ record }: { record: CaseRecord }) {
  const { key, route, executionId, onEvent, waiting, updatedAt } = record;
  return (
    <tr>
      <td class="wrap">
        <a class="row-link" href={casePath(record)}>
          {key}
        </a>
      </td>
      <td data-label="Route">{route}</td>
      <td data-label="Live execution">
        {executionId === null ? <NoValue /> : <ExecutionLink executionId={executionId} />}
      </td>
      <td data-label="Further events">{ON_EVENT_LABELS[onEvent]}</td>
      <td class="num" data-label="Waiting">
        {waiting}
      </td>
      <td data-label="Updated">
        <Time at={updatedAt} />
      </td>
    </tr>
  );
}

function NoCases({ path, search }: { path: string; search: string }) {
  if (search !== "") {
    return (
      <Empty title="No case has this key">
        <a class="button" href={path}>
          View all cases
        </a>
      </Empty>
    );
  }
  return (
    <Empty title="No cases yet">
      <p class="narrow">
        A case holds the events that share the key of a route, such as those of one pull request:
        one execution is live at a time, in the order of arrival.
      </p>
      <a class="button" href="/docs#updateWebhook">
        Add a key to a route
      </a>
    </Empty>
  );
}

const WAITER_COLUMNS = ["Execution", "Waits for", "Wakes", "Until"];

/** The executions that wait for an event; nothing without any. */
function Waiters({ waiters }: { waiters: WaiterRecord[] }) {
  if (waiters.length === 0) return null;
  return (
    <section class="part" aria-labelledby="waiters">
      <h2 id="waiters">Waiting executions</h2>
      <DataTable label="Waiting executions" columns={WAITER_COLUMNS}>
        {waiters.map(({ executionId, when, wake, until }) => (
          <tr>
            <td>
              <ExecutionLink executionId={executionId} />
            </td>
            <td class="wrap" data-label="Waits for">
              <code>{conditionText(when)}</code>
            </td>
            <td data-label="Wakes">{wake === "one" ? "this execution alone" : "all that wait"}</td>
            <td data-label="Until">
              <Time at={until} />
            </td>
          </tr>
        ))}
      </DataTable>
    </section>
  );
}

function ExecutionLink({ executionId }: { executionId: string }) {
  return (
    <a href={executionPath(executionId)}>
      <code>{`${executionId.slice(0, 8)}…${executionId.slice(-4)}`}</code>
    </a>
  );
}
