import type { LogEntry } from "../../../contract/inbound/log.ts";
import { Badge, Time } from "../../components/parts.tsx";
import { entryPath } from "../requests/paths.ts";
import { gistOf } from "../requests/words.ts";
import { endpointPath } from "./paths.ts";

/** The latest requests, or a line that waits for the first one and is replaced by it. */
export function Arrivals({ endpointId, entries }: { endpointId: string; entries: LogEntry[] }) {
  if (entries.length === 0) return <Waiting endpointId={endpointId} />;
  return (
    <div id="arrivals" class="card">
      <ul class="arrivals">
        {entries.map((entry) => (
          <li>
            <a href={entryPath(endpointId, entry.requestId)}>
              <Time at={entry.receivedAt} />
            </a>
            <Badge state={entry.status} />
            <span class="muted">{`answered ${entry.httpStatus}`}</span>
            <span>{gistOf(entry)}</span>
          </li>
        ))}
      </ul>
      <a href={endpointPath(endpointId, "/requests")}>All requests</a>
    </div>
  );
}

function Waiting({ endpointId }: { endpointId: string }) {
  return (
    <div
      id="arrivals"
      class="card waiting"
      role="status"
      data-live=""
      hx-get={endpointPath(endpointId, "/arrivals")}
      hx-trigger="every 2s"
      hx-swap="outerHTML"
    >
      <p>
        Waiting for the first request. It appears here, and in the{" "}
        <a href={endpointPath(endpointId, "/requests")}>request log</a>.
      </p>
    </div>
  );
}
