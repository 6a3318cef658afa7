import type { LogEntry } from "../../../contract/inbound/log.ts";
import { Badge, Time } from "../../components/parts.tsx";
import { runPath } from "../executions/paths.ts";
import { entryPath } from "./paths.ts";
import { durationOf, flagsOf, gistOf } from "./words.ts";

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
        <a id={`request-${requestId}`} href={entryPath(endpointId, requestId)}>
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
          <a id={`run-${requestId}`} href={runPath(executionId)}>
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
