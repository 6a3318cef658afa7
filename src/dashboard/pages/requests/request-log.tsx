import * as z from "zod";
import { type LogEntry, requestStatus, searchedText } from "../../../contract/webhooks/log.ts";
import { Badge, Copyable, LinkButton, Time } from "../../components/elements.tsx";
import { serveFilteredList } from "../../components/list-page.tsx";
import { type Column, RowLink } from "../../components/table.tsx";
import { type Dashboard, endpointIdOf } from "../../context.ts";
import { formatDuration } from "../../format.ts";
import { type Form, moment } from "../../forms/form.ts";
import { endpointPath, executionPath, REPLAYS, requestPath, WEBHOOKS } from "../../paths.ts";
import { EndpointPage } from "../webhooks/endpoint-layout.tsx";
import { flagsOf, gistOf, nameOf, statusOf } from "./labels.ts";

/** How tables show requests. */
export const REQUEST_COLUMNS: Column<LogEntry>[] = [
  {
    name: "Status",
    cell: (entry) => (
      <>
        <Badge state={statusOf(entry)} /> <Flags entry={entry} />
      </>
    ),
  },
  {
    name: "Request",
    is: "wrap",
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
    cell: ({ executionId, requestId }) =>
      executionId !== null && (
        <a id={`run-${requestId}`} href={executionPath(executionId)}>
          View execution
        </a>
      ),
  },
  { name: "Received", is: "num", cell: ({ receivedAt }) => <Time at={receivedAt} /> },
];

const FILTER = {
  schema: z.object({
    q: searchedText.exactOptional(),
    eventType: z.string().max(1_000).exactOptional(),
    eventId: z.string().max(1_000).exactOptional(),
    status: z.array(requestStatus),
    duplicate: z
      .enum(["true", "false"])
      .transform((text) => text === "true")
      .exactOptional(),
    receivedAfter: moment.exactOptional(),
    receivedBefore: moment.exactOptional(),
  }),
  fields: {
    q: { kind: "line", label: "Search payloads" },
    eventType: { kind: "line", label: "Event type" },
    eventId: { kind: "line", label: "Event id" },
    status: {
      kind: "choices",
      label: "Status",
      options: [
        { value: "succeeded", label: "Succeeded" },
        { value: "running", label: "Running" },
        { value: "queued", label: "Held or queued" },
        { value: "failed", label: "Failed" },
        { value: "rejected", label: "Rejected" },
        { value: "duplicate", label: "Duplicate" },
      ],
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

/** Serves the request log of an endpoint. */
export function serveRequestLog(app: Dashboard): void {
  serveFilteredList(app, {
    title: "Requests",
    section: "webhooks",
    path: `${WEBHOOKS}/:endpointId/requests`,
    filter: () => FILTER,
    search: "q",
    load: (api, { q, ...query }, http) =>
      api.webhooks.requests(endpointIdOf(http), { ...query, ...(q !== undefined && { text: q }) }),
    rowsOf: ({ requests }) => requests,
    around: (http) => http.get("api").webhooks.get(endpointIdOf(http)),
    columns: () => REQUEST_COLUMNS,
    seen: ({ requests }) => shownOf(requests),
    idOf: ({ requestId }) => `row-${requestId}`,
    again: {
      scope: "executions:write",
      path: REPLAYS,
      verb: "Replay",
      idOf: ({ requestId }) => requestId,
      filters: ["q", "eventType", "status", "receivedAfter", "receivedBefore"],
      param: "endpointId",
    },
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
    csv: {
      requestId: ({ requestId }) => requestId,
      receivedAt: ({ receivedAt }) => receivedAt,
      status: ({ status }) => status,
      httpStatus: ({ httpStatus }) => httpStatus,
      eventType: ({ eventType }) => eventType,
      eventId: ({ eventId }) => eventId,
      executionId: ({ executionId }) => executionId,
      reason: gistOf,
    },
    frame: ({ around: endpoint, live, content }) => (
      <EndpointPage endpoint={endpoint} tab="requests" live={live}>
        {content}
      </EndpointPage>
    ),
  });
}

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
  if (flags.length === 0) return null;
  return (
    <span class="flags">
      {flags.map((flag) => (
        <Badge state={flag} />
      ))}
    </span>
  );
}
