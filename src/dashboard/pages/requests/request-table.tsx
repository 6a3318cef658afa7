import type { LogEntry } from "../../../contract/webhooks/log.ts";
import { Badge, Time } from "../../components/elements.tsx";
import { type Column, RowLink } from "../../components/table.tsx";
import { formatDuration, headline } from "../../format.ts";
import { executionPath, requestPath } from "../../paths.ts";
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
  if (flags.length === 0) return null;
  return (
    <span class="flags">
      {flags.map((flag) => (
        <Badge state={flag} />
      ))}
    </span>
  );
}
