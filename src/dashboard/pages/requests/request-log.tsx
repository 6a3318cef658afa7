import * as z from "zod";
import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import { type LogEntry, requestStatus } from "../../../contract/inbound/log.ts";
import {
  Badge,
  Copyable,
  DataTable,
  Empty,
  NextPage,
  NoValue,
  Time,
} from "../../components/elements.tsx";
import { formatDuration } from "../../format.ts";
import { FormErrors } from "../../forms/fields.tsx";
import { type Form, moment } from "../../forms/form.ts";
import { FilterForm, type ListFilter, readFilter, searchOf } from "../../forms/list-filter.tsx";
import { endpointPath, executionPath, logPath, requestPath } from "../../paths.ts";
import { EndpointPage } from "../webhooks/endpoint-layout.tsx";
import { flagsOf, gistOf } from "./labels.ts";

const COLUMNS = [
  "Received",
  "Status",
  "HTTP",
  "Event id",
  "Summary",
  "Start delay",
  "Total time",
  "Execution",
];

const FILTER = {
  schema: z.object({
    status: z.array(requestStatus),
    duplicate: z.enum(["true", "false"]).optional(),
    receivedAfter: moment.optional(),
    receivedBefore: moment.optional(),
  }),
  fields: {
    status: {
      kind: "choices",
      label: "Status",
      options: requestStatus.options.map((value) => ({ value, label: value })),
    },
    duplicate: {
      kind: "select",
      label: "Duplicates",
      options: [
        { value: "", label: "Include duplicates" },
        { value: "false", label: "Exclude duplicates" },
        { value: "true", label: "Only duplicates" },
      ],
    },
    receivedAfter: { kind: "moment", label: "Received after (UTC)" },
    receivedBefore: { kind: "moment", label: "Received before (UTC)" },
  },
} satisfies Form;

/** The part of a log that a page shows. */
export interface LogView extends ListFilter<z.output<typeof FILTER.schema>> {
  /** Whether the reader has paused the updates. */
  isPaused: boolean;
}

/** One page of an endpoint's log. */
export interface LogPage {
  endpointId: string;
  view: LogView;
  entries: LogEntry[];
  nextCursor: string | null;
  /** The fingerprint of what the reader sees. */
  seen: string;
}

/** Reads the part of the log that the page's address asks for. */
export function logViewOf(search: URLSearchParams): LogView {
  return { ...readFilter(FILTER, search), isPaused: search.get("live") === "off" };
}

/** Returns the query of the API for a part of the log. */
export function logQueryOf({ query, cursor }: LogView) {
  const { status = [], duplicate, receivedAfter, receivedBefore } = query ?? {};
  return {
    status,
    ...(duplicate !== undefined && { duplicate: duplicate === "true" }),
    ...(receivedAfter !== undefined && { receivedAfter }),
    ...(receivedBefore !== undefined && { receivedBefore }),
    ...(cursor !== null && { cursor }),
  };
}

/** Tells whether new requests can appear in this part of the log: older pages do not change. */
export function isLive({ cursor, isPaused }: LogView): boolean {
  return cursor === null && !isPaused;
}

/** The log of an endpoint. `page` is null where the filter is not valid. */
export function RequestLogPage({
  endpoint,
  view,
  page,
  script,
}: {
  endpoint: EndpointRecord;
  /** Commands that send the endpoint a request. */
  script: string;
  view: LogView;
  page: LogPage | null;
}) {
  const path = logPath(endpoint.endpointId);
  return (
    <EndpointPage endpoint={endpoint} tab="requests">
      <FormErrors of={view.state} />
      <FilterForm filter={view} path={path}>
        {view.isPaused && <input type="hidden" name="live" value="off" />}
      </FilterForm>
      {page !== null && (
        <>
          <Liveness path={path} view={view} />
          <Log page={page} endpoint={endpoint} script={script} />
        </>
      )}
    </EndpointPage>
  );
}

/** Says whether the log follows new requests, and how to change that (WCAG 2.2, 2.2.2). */
function Liveness({ path, view }: { path: string; view: LogView }) {
  const { cursor, isPaused } = view;
  if (cursor !== null) {
    return (
      <p class="liveness">
        Older requests.{" "}
        <a href={`${path}${searchOf(view, { live: pausedAs(isPaused) })}`}>View newest</a>
      </p>
    );
  }
  return (
    <p class="liveness">
      {isPaused ? "Updates are paused. " : "New requests appear here. "}
      <a href={`${path}${searchOf(view, { live: pausedAs(!isPaused) })}`}>
        {isPaused ? "Resume updates" : "Pause updates"}
      </a>
    </p>
  );
}

function pausedAs(isPaused: boolean): string | null {
  return isPaused ? "off" : null;
}

/** An update replaces the rows where there are some, so that their frame keeps its scroll position. */
const ROWS = { "hx-target": "#log tbody", "hx-swap": "innerHTML" };
const WHOLE = { "hx-target": "#log", "hx-swap": "outerHTML" };

/** One page of the log. */
export function Log({
  page,
  endpoint,
  script,
}: {
  page: LogPage;
  endpoint: EndpointRecord;
  script: string;
}) {
  const { view, entries } = page;
  return (
    <div id="log">
      {entries.length === 0 ? (
        <NoRequests endpoint={endpoint} script={script} view={view} />
      ) : (
        <DataTable label="Requests" columns={COLUMNS}>
          <Rows entries={entries} />
        </DataTable>
      )}
      <Foot page={page} isUpdate={false} />
    </div>
  );
}

/** Replaces the rows of an open page. */
export function LogUpdate({ page }: { page: LogPage }) {
  return (
    <>
      <Rows entries={page.entries} />
      <template>
        <Foot page={page} isUpdate={true} />
      </template>
    </>
  );
}

/** The link to older requests, and what asks for updates. */
function Foot({ page, isUpdate }: { page: LogPage; isUpdate: boolean }) {
  const { endpointId, view, nextCursor, seen } = page;
  const path = logPath(endpointId);
  const live = pausedAs(view.isPaused);
  return (
    <div id="log-foot" {...(isUpdate && { "hx-swap-oob": "true" })}>
      <NextPage href={nextCursor && `${path}${searchOf(view, { cursor: nextCursor, live })}`} />
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

/** Links have ids, so that the focus stays on them when the rows are replaced. */
function Rows({ entries }: { entries: LogEntry[] }) {
  return (
    <>
      {entries.map((entry) => {
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
            <td>{formatDuration(latencyMs.toStart)}</td>
            <td>{formatDuration(latencyMs.toCompletion)}</td>
            <td>
              {executionId === null ? (
                <NoValue />
              ) : (
                <a id={`run-${requestId}`} href={executionPath(executionId)}>
                  View
                </a>
              )}
            </td>
          </tr>
        );
      })}
    </>
  );
}

/** The flags of a request that its status does not say. */
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

function NoRequests({
  endpoint: { endpointId, url },
  script,
  view,
}: {
  endpoint: EndpointRecord;
  script: string;
  view: LogView;
}) {
  if (view.cursor !== null || view.isFiltered) {
    return (
      <Empty title="No matching requests">
        <a class="button" href={logPath(endpointId)}>
          Clear filter
        </a>
      </Empty>
    );
  }
  return (
    <Empty title="No requests yet">
      <p>Give the sender this URL, or send the first request yourself. It appears here.</p>
      <Copyable id="endpoint-url" label="URL" text={url} />
      <Copyable id="first-event" label="Send a request from a terminal" text={script} />
      <p>
        <a class="button" href={endpointPath(endpointId, "/try")}>
          Try a sample
        </a>
      </p>
    </Empty>
  );
}
