import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import { type LogEntry, requestStatus } from "../../../contract/inbound/log.ts";
import { Badge, Copyable, DataTable, Empty, NextPage, Time } from "../../components/elements.tsx";
import { Refused, refusalFor } from "../../forms/errors.tsx";
import { MomentInput, Select } from "../../forms/fields.tsx";
import { endpointPath, executionPath, logPath, requestPath } from "../../paths.ts";
import { EndpointPage } from "../webhooks/endpoint-layout.tsx";
import { durationOf, flagsOf, gistOf } from "./labels.ts";
import { isFiltered, isLive, type LogView, searchOf } from "./log-filters.ts";

export const COLUMNS = [
  "Received",
  "Status",
  "HTTP",
  "Event id",
  "What happened",
  "To start",
  "To end",
  "Execution",
];

/** An entry in the log's table. Its links have ids, so that the focus stays when rows come anew. */
export function EntryRow({ entry }: { entry: LogEntry }) {
  const { endpointId, requestId, executionId, eventId, latencyMs } = entry;
  return (
    <tr>
      <td>
        <a id={`request-${requestId}`} href={requestPath(endpointId, requestId)}>
          <Time at={entry.receivedAt} />
        </a>
      </td>
      <td>
        <Badge state={entry.status} /> <Flags entry={entry} />
      </td>
      <td>{String(entry.httpStatus)}</td>
      <td class="event-id">{eventId === null ? <NoValue /> : <code>{eventId}</code>}</td>
      <td class="wrap gist">{gistOf(entry)}</td>
      <td>{durationOf(latencyMs.toStart)}</td>
      <td>{durationOf(latencyMs.toCompletion)}</td>
      <td>
        {executionId === null ? (
          <NoValue />
        ) : (
          <a id={`run-${requestId}`} href={executionPath(executionId)}>
            Open
          </a>
        )}
      </td>
    </tr>
  );
}

/** What is special about an entry. */
export function Flags({ entry }: { entry: LogEntry }) {
  const flags = flagsOf(entry).filter((flag) => flag !== entry.status);
  if (flags.length === 0) return null;
  return (
    <span class="flags">
      {flags.map((flag) => (
        <Badge state={flag} />
      ))}
    </span>
  );
}

export function NoValue() {
  return <span class="muted">–</span>;
}

/** What there is to say of a log, or of a part of it, in which nothing is. */
export function NoEntries({
  endpoint: { endpointId, url },
  script,
  view,
}: {
  endpoint: EndpointRecord;
  /** Commands that send the endpoint an event. */
  script: string;
  view: LogView;
}) {
  if (view.cursor !== null || isFiltered(view)) {
    return (
      <Empty title="No request is like this">
        <p>
          <a href={logPath(endpointId)}>Show all requests</a>
        </p>
      </Empty>
    );
  }
  return (
    <Empty title="No request has come yet">
      <p>Give the sender this address, or send the first event yourself. It appears here.</p>
      <Copyable id="endpoint-url" label="Address" text={url} />
      <Copyable id="first-event" label="Send an event from a shell" text={script} />
      <p>
        <a href={endpointPath(endpointId, "/try")}>Try a sample here</a>
      </p>
    </Empty>
  );
}

const DUPLICATES = [
  { value: "", label: "With duplicates" },
  { value: "false", label: "Without duplicates" },
  { value: "true", label: "Only duplicates" },
];

/** What of the log is shown. A plain GET form: the address of the page says it all. */
export function FilterForm({ path, view }: { path: string; view: LogView }) {
  const { typed, faults, isPaused } = view;
  return (
    <details class="card filters" open={isFiltered(view)}>
      <summary>Filter</summary>
      <form method="get" action={path} class="snug">
        <fieldset class="choices">
          <legend>Status</legend>
          {requestStatus.options.map((status) => (
            <label>
              <input
                type="checkbox"
                name="status"
                value={status}
                checked={typed.status.includes(status)}
              />
              {status}
            </label>
          ))}
        </fieldset>
        <Select
          name="duplicate"
          label="Duplicates"
          value={typed.duplicate}
          options={DUPLICATES}
          faults={faults}
        />
        <MomentInput
          name="receivedAfter"
          label="Received after (UTC)"
          value={typed.receivedAfter}
          faults={faults}
        />
        <MomentInput
          name="receivedBefore"
          label="Received before (UTC)"
          value={typed.receivedBefore}
          faults={faults}
        />
        {isPaused && <input type="hidden" name="live" value="off" />}
        <div class="actions">
          <button type="submit" class="primary">
            Show
          </button>
          {isFiltered(view) && (
            <a class="button" href={path}>
              Show all
            </a>
          )}
        </div>
      </form>
    </details>
  );
}

/** One page of an endpoint's log. */
export interface LogPageData {
  endpointId: string;
  view: LogView;
  entries: LogEntry[];
  nextCursor: string | null;
  /** What the reader sees of it; see `fingerprintOf`. */
  seen: string;
}

/** What an update replaces: where there are rows, these, so that their frame stays scrolled as it is. */
const ROWS = { "hx-target": "#log tbody", "hx-swap": "innerHTML" };
const WHOLE = { "hx-target": "#log", "hx-swap": "outerHTML" };

/** The page of the log, whole. */
export function Log({
  page,
  endpoint,
  script,
}: {
  page: LogPageData;
  endpoint: EndpointRecord;
  script: string;
}) {
  const { view, entries } = page;
  return (
    <div id="log">
      {entries.length === 0 ? (
        <NoEntries endpoint={endpoint} script={script} view={view} />
      ) : (
        <DataTable label="Requests" columns={COLUMNS}>
          <Rows entries={entries} />
        </DataTable>
      )}
      <Foot page={page} isUpdate={false} />
    </div>
  );
}

/** What replaces the rows of a page that is open. */
export function LogUpdate({ page }: { page: LogPageData }) {
  return (
    <>
      <Rows entries={page.entries} />
      <template>
        <Foot page={page} isUpdate={true} />
      </template>
    </>
  );
}

function Rows({ entries }: { entries: LogEntry[] }) {
  return (
    <>
      {entries.map((entry) => (
        <EntryRow entry={entry} />
      ))}
    </>
  );
}

/** The way to older entries, and what asks for news of these. */
function Foot({ page, isUpdate }: { page: LogPageData; isUpdate: boolean }) {
  const { endpointId, view, nextCursor, seen } = page;
  const path = logPath(endpointId);
  const older = nextCursor && `${path}${searchOf(view, { cursor: nextCursor })}`;
  return (
    <div id="log-foot" {...(isUpdate && { "hx-swap-oob": "true" })}>
      <NextPage href={older} />
      {isLive(view) && (
        <div
          data-live=""
          hx-get={`${path}/live${searchOf(view, { seen })}`}
          hx-trigger="every 2s, visibilitychange from:document"
          {...(page.entries.length === 0 ? WHOLE : ROWS)}
        />
      )}
    </div>
  );
}

/** The log of an endpoint. `page` is null where the filters say nothing that can be asked for. */
export function RequestLogPage({
  endpoint,
  view,
  page,
  script,
}: {
  endpoint: EndpointRecord;
  script: string;
  view: LogView;
  page: LogPageData | null;
}) {
  const path = logPath(endpoint.endpointId);
  return (
    <EndpointPage endpoint={endpoint} tab="requests">
      <Refused
        refusal={view.faults.size === 0 ? null : refusalFor(view.faults)}
        shown={(name) => !name.startsWith("status")}
      />
      <FilterForm path={path} view={view} />
      {page !== null && (
        <>
          <Liveness path={path} view={view} />
          <Log page={page} endpoint={endpoint} script={script} />
        </>
      )}
    </EndpointPage>
  );
}

/** Whether new entries come in by themselves, and how to change that (WCAG 2.2, 2.2.2). */
function Liveness({ path, view }: { path: string; view: LogView }) {
  const { cursor, isPaused } = view;
  if (cursor !== null) {
    return (
      <p class="liveness">
        Older requests. <a href={`${path}${searchOf(view, { cursor: null })}`}>To the newest</a>
      </p>
    );
  }
  return (
    <p class="liveness">
      {isPaused ? "New requests do not appear by themselves. " : "New requests appear here. "}
      <a href={`${path}${searchOf(view, { isPaused: !isPaused })}`}>
        {isPaused ? "Follow" : "Pause"}
      </a>
    </p>
  );
}
