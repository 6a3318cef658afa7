import * as z from "zod";
import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import { type LogEntry, requestStatus, searchedText } from "../../../contract/webhooks/log.ts";
import { Badge, Copyable, Empty, LinkButton, NextPage, Time } from "../../components/elements.tsx";
import { type Column, RowLink, Table } from "../../components/table.tsx";
import { formatDuration } from "../../format.ts";
import { FormErrors } from "../../forms/fields.tsx";
import { type Form, moment } from "../../forms/form.ts";
import { FilterBar, type ListFilter, readFilter, searchOf } from "../../forms/list-filter.tsx";
import { livePath } from "../../live.ts";
import { endpointPath, executionPath, logPath, requestPath } from "../../paths.ts";
import { EndpointPage } from "../webhooks/endpoint-layout.tsx";
import { flagsOf, gistOf, nameOf, statusOf } from "./labels.ts";

const COLUMNS: Column<LogEntry>[] = [
  {
    name: "Status",
    isBare: true,
    cell: (entry) => (
      <>
        <Badge state={statusOf(entry)} /> <Flags entry={entry} />
      </>
    ),
  },
  {
    name: "Request",
    is: "wrap",
    isBare: true,
    cell: (entry) => {
      const { endpointId, requestId, eventId } = entry;
      const gist = gistOf(entry);
      return (
        <>
          <RowLink href={requestPath(endpointId, requestId)} id={`request-${requestId}`}>
            {nameOf(entry)}
          </RowLink>{" "}
          {eventId !== null && <code class="muted">{eventId}</code>}
          {gist !== "" && <div class="muted">{gist}</div>}
        </>
      );
    },
  },
  { name: "HTTP", is: "num", cell: ({ httpStatus }) => String(httpStatus) },
  { name: "Start delay", is: "num", cell: ({ latencyMs }) => formatDuration(latencyMs.toStart) },
  {
    name: "Total time",
    is: "num",
    cell: ({ latencyMs }) => formatDuration(latencyMs.toCompletion),
  },
  {
    name: "Execution",
    isBare: true,
    cell: ({ executionId, requestId }) =>
      executionId !== null && (
        <a id={`run-${requestId}`} href={executionPath(executionId)}>
          View execution
        </a>
      ),
  },
  { name: "Received", is: "num", isBare: true, cell: ({ receivedAt }) => <Time at={receivedAt} /> },
];

const FILTER = {
  schema: z.object({
    q: searchedText.optional(),
    eventType: z.string().max(1_000).optional(),
    eventId: z.string().max(1_000).optional(),
    status: z.array(requestStatus),
    duplicate: z.enum(["true", "false"]).optional(),
    receivedAfter: moment.optional(),
    receivedBefore: moment.optional(),
  }),
  fields: {
    q: { kind: "line", label: "Search payloads" },
    eventType: { kind: "line", label: "Event type" },
    eventId: { kind: "line", label: "Event id" },
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

const STATUSES = [
  { value: "", label: "All" },
  { value: "succeeded", label: "Succeeded" },
  { value: "running", label: "Running" },
  { value: "queued", label: "Held or queued" },
  { value: "failed", label: "Failed" },
  { value: "rejected", label: "Rejected" },
  { value: "duplicate", label: "Duplicate" },
];

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
  const {
    q,
    eventType,
    eventId,
    status = [],
    duplicate,
    receivedAfter,
    receivedBefore,
  } = query ?? {};
  return {
    status,
    ...(q !== undefined && { text: q }),
    ...(eventType !== undefined && { eventType }),
    ...(eventId !== undefined && { eventId }),
    ...(duplicate !== undefined && { duplicate: duplicate === "true" }),
    ...(receivedAfter !== undefined && { receivedAfter }),
    ...(receivedBefore !== undefined && { receivedBefore }),
    ...(cursor !== null && { cursor }),
  };
}

/** The log of an endpoint. `page` is null where the filter is not valid. */
export function RequestLogPage({
  endpoint,
  view,
  page,
}: {
  endpoint: EndpointRecord;
  view: LogView;
  page: LogPage | null;
}) {
  const path = logPath(endpoint.endpointId);
  // Older pages do not change by themselves.
  const isLive = page !== null && view.cursor === null && !view.isPaused;
  return (
    <EndpointPage
      endpoint={endpoint}
      tab="requests"
      live={isLive ? livePath(`${path}/live${searchOf(view)}`, page.seen) : null}
    >
      <FormErrors of={view.state} />
      <FilterBar filter={view} path={path} search="q" chips={STATUSES}>
        {view.isPaused && <input type="hidden" name="live" value="off" />}
      </FilterBar>
      {page !== null && (
        <>
          <Liveness path={path} view={view} />
          {page.entries.length === 0 ? (
            <NoRequests endpoint={endpoint} view={view} />
          ) : (
            <Table
              label="Requests"
              columns={COLUMNS}
              rows={page.entries}
              idOf={({ requestId }) => `row-${requestId}`}
            />
          )}
          <NextPage
            href={
              page.nextCursor &&
              `${path}${searchOf(view, { cursor: page.nextCursor, live: pausedAs(view.isPaused) })}`
            }
          />
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
  view,
}: {
  endpoint: EndpointRecord;
  view: LogView;
}) {
  if (view.cursor !== null || view.isFiltered) {
    return (
      <Empty title="No matching requests">
        <LinkButton href={logPath(endpointId)}>Clear filter</LinkButton>
      </Empty>
    );
  }
  return (
    <Empty title="No requests yet">
      <p>Give the sender this URL, or send a test event. It appears here.</p>
      <Copyable id="endpoint-url" label="URL" text={url} />
      <p>
        <LinkButton href={endpointPath(endpointId, "/try")}>Send test event</LinkButton>
      </p>
    </Empty>
  );
}
