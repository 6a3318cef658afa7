import * as z from "zod";
import {
  type LogEntry,
  type logPage,
  requestStatus,
  searchedText,
} from "../../../contract/webhooks/log.ts";
import { Badge, Copyable, LinkButton, Time } from "../../components/elements.tsx";
import { fieldColumns, serveFilteredList } from "../../components/list-page.tsx";
import { type Column, RowLink } from "../../components/table.tsx";
import { type Dashboard, endpointIdOf } from "../../context.ts";
import { formatDuration, headline } from "../../format.ts";
import { type Form, field, moment } from "../../forms/form.ts";
import { endpointPath, executionPath, REPLAYS, requestPath, WEBHOOKS } from "../../paths.ts";
import { EndpointPage } from "../webhooks/endpoint-layout.tsx";
import { flagsOf, gistOf, nameOf, statusOf } from "./labels.ts";

/** The state of a request and its flags. */
export const STATUS: Column<LogEntry> = {
  name: "Status",
  cell: (entry) => (
    <>
      <Badge state={statusOf(entry)} /> <Flags entry={entry} />
    </>
  ),
};

/** Returns the column that names a request and leads to it; `current` is the id of the one that is shown. */
export const nameColumn = (
  hrefOf: (entry: LogEntry) => string,
  current?: string,
): Column<LogEntry> => ({
  name: "Request",
  is: "wrap",
  cell: (entry) => {
    const { requestId, eventId } = entry;
    const gist = headline(gistOf(entry), 140);
    return (
      <>
        <RowLink href={hrefOf(entry)} id={`request-${requestId}`} isCurrent={requestId === current}>
          {nameOf(entry)}
        </RowLink>{" "}
        {eventId !== null && <code class="muted">{eventId}</code>}
        {gist !== "" && <div class="muted">{gist}</div>}
      </>
    );
  },
});

/** When a request was received. */
export const RECEIVED: Column<LogEntry> = {
  name: "Received",
  is: "num",
  cell: ({ receivedAt }) => <Time at={receivedAt} />,
};

/** How tables show requests. */
export const REQUEST_COLUMNS: Column<LogEntry>[] = [
  STATUS,
  nameColumn(({ endpointId, requestId }) => requestPath(endpointId, requestId)),
  { name: "HTTP", is: "num", cell: ({ httpStatus }) => String(httpStatus) },
  { name: "Start delay", is: "num", cell: ({ latencyMs }) => formatDuration(latencyMs.toStart) },
  {
    name: "Total time",
    is: "num",
    cell: ({ latencyMs }) => formatDuration(latencyMs.toCompletion),
  },
  {
    name: "Execution",
    cell: ({ executionId, requestId }) =>
      executionId !== null && (
        <a id={`run-${requestId}`} href={executionPath(executionId)}>
          View execution
        </a>
      ),
  },
  RECEIVED,
];

/** Returns what the reader sees of these requests; a request itself never changes, only its outcome. */
export function shownOf(entries: readonly LogEntry[]) {
  return entries.map(({ headers: _, query: __, body: ___, mappedInputs, ...shown }) => ({
    ...shown,
    isMapped: mappedInputs !== null,
  }));
}

/** The flags of a request that its status does not say. */
export function Flags({ entry }: { entry: LogEntry }) {
  const flags = flagsOf(entry).filter((flag) => flag !== entry.status);
  return flags.map((flag) => (
    <>
      <Badge state={flag} />{" "}
    </>
  ));
}

/** The filters of a request log; an endpoint's own log has no choice of endpoints. */
export const FILTER = {
  schema: z.object({
    q: searchedText.exactOptional(),
    eventType: z.string().max(1_000).exactOptional(),
    eventId: z.string().max(1_000).exactOptional(),
    endpointId: z.string().max(100).exactOptional(),
    status: z.array(requestStatus),
    duplicate: z
      .enum(["true", "false"])
      .transform((text) => text === "true")
      .exactOptional(),
    receivedAfter: moment.exactOptional(),
    receivedBefore: moment.exactOptional(),
  }),
  fields: {
    q: field.line("Search payloads"),
    eventType: field.line("Event type"),
    eventId: field.line("Event id"),
    status: field.choices("Status", {
      succeeded: "Succeeded",
      running: "Running",
      queued: "Held or queued",
      failed: "Failed",
      rejected: "Rejected",
      duplicate: "Duplicate",
    }),
    duplicate: field.select("Duplicates", {
      "": "Include duplicates",
      false: "Exclude duplicates",
      true: "Only duplicates",
    }),
    receivedAfter: field.moment("Received after (UTC)"),
    receivedBefore: field.moment("Received before (UTC)"),
  },
} satisfies Form;

type LogPage = z.output<typeof logPage>;

/** What the log of an endpoint and that of all endpoints have in common. */
export const LOG = {
  title: "Requests",
  search: "q",
  rowsOf: ({ requests }: LogPage) => requests,
  seen: ({ requests }: LogPage) => shownOf(requests),
  idOf: ({ requestId }: LogEntry) => `row-${requestId}`,
  csv: {
    ...fieldColumns("requestId", "receivedAt", "status", "httpStatus"),
    ...fieldColumns("eventType", "eventId", "executionId"),
    reason: gistOf,
    ...fieldColumns("endpointId"),
  },
};

/** How requests are replayed. */
export const AGAIN = {
  scope: "executions:write",
  path: REPLAYS,
  verb: "Replay",
  idOf: ({ requestId }: LogEntry) => requestId,
  filters: ["q", "eventType", "status", "receivedAfter", "receivedBefore"],
} as const;

type Typed = z.output<typeof FILTER.schema>;
/** Returns the query of the API for what was typed. */
export const queryOf = ({ q, endpointId: _, ...query }: Typed) => ({
  ...query,
  ...(q !== undefined && { text: q }),
});

/** Serves the request log of an endpoint. */
export function serveRequestLog(app: Dashboard): void {
  serveFilteredList(app, {
    ...LOG,
    section: "webhooks",
    path: `${WEBHOOKS}/:endpointId/requests`,
    filter: () => FILTER,
    load: (api, typed, http) => api.webhooks.requests(endpointIdOf(http), queryOf(typed)),
    around: (http) => http.get("api").webhooks.get(endpointIdOf(http)),
    columns: REQUEST_COLUMNS,
    again: { ...AGAIN, param: "endpointId" },
    empty: ({ endpointId, url }) => ({
      title: "No requests yet",
      text: "Give the sender this URL, or send a test event. It appears here.",
      button: (
        <>
          <Copyable id="endpoint-url" label="URL" text={url} />
          <LinkButton href={endpointPath(endpointId, "/try")}>Send test event</LinkButton>
        </>
      ),
    }),
    frame: ({ around: endpoint, live, content }) => (
      <EndpointPage endpoint={endpoint} tab="requests" live={live}>
        {content}
      </EndpointPage>
    ),
  });
}
