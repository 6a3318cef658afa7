import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import { isSettled, type LogEntry } from "../../../contract/inbound/log.ts";
import { JsonView } from "../../components/json-view.tsx";
import { Checks } from "./checks.tsx";
import { Facts, type Run } from "./facts.tsx";
import { entryPath } from "./paths.ts";
import { Trouble } from "./trouble.tsx";

/** An entry with what is around it. */
export interface Logged {
  entry: LogEntry;
  endpoint: EndpointRecord;
  /** The run that it started or was told of; null where there is none, or it may not be seen. */
  run: Run | null;
  /** What the reader sees of it; see `shortHash`. */
  seen: string;
}

/** What became of a request. As long as that may change, it asks for news by itself. */
export function Outcome({ logged }: { logged: Logged }) {
  const { entry, endpoint } = logged;
  return (
    <div id="outcome" {...(!isSettled(entry.status) && followed(logged))}>
      <Facts entry={entry} endpoint={endpoint} run={logged.run} />
      <Trouble entry={entry} />
      <Checks entry={entry} endpoint={endpoint} />
      {entry.mappedInputs !== null && (
        <section class="card snug">
          <h2>Inputs of the workflow</h2>
          <JsonView value={entry.mappedInputs} />
        </section>
      )}
    </div>
  );
}

function followed({ entry: { endpointId, requestId }, seen }: Logged) {
  return {
    "data-live": "",
    "hx-get": `${entryPath(endpointId, requestId)}/outcome?seen=${seen}`,
    "hx-trigger": "every 2s, visibilitychange from:document",
    "hx-swap": "outerHTML",
  };
}
