import type { ExecutionEvent } from "../../../../contract/events.ts";
import { JsonView } from "../../../components/json-view.tsx";
import { Time } from "../../../components/parts.tsx";
import { runPath } from "../paths.ts";
import { wordsOf } from "./event-words.ts";
import { LOG_ENTRIES, type LogWindow } from "./load.ts";

/** What has happened, the newest last; while the run works, more is added below. */
export function Log({ executionId, log }: { executionId: string; log: LogWindow }) {
  return (
    <section aria-labelledby="log-title" class="part" id="log">
      <h2 id="log-title">Log</h2>
      <ol id="events" class="events">
        <EarlierEntries executionId={executionId} log={log} />
      </ol>
      {!log.isNewest && (
        <p>
          <a class="button" href={`${runPath(executionId)}#log`}>
            Newest entries
          </a>
        </p>
      )}
    </section>
  );
}

/** Entries, and before them the way to the ones before, which takes that way's place. */
export function EarlierEntries({ executionId, log }: { executionId: string; log: LogWindow }) {
  const first = log.events[0]?.seq ?? 1;
  const path = runPath(executionId);
  return (
    <>
      {first > 1 && (
        <li id="earlier">
          <a
            id="earlier-link"
            class="button"
            href={`${path}?until=${first - 1}#log`}
            hx-get={`${path}/entries?until=${first - 1}`}
            hx-target="#earlier"
            hx-swap="outerHTML"
          >
            {`Earlier: the ${Math.min(first - 1, LOG_ENTRIES)} entries before`}
          </a>
        </li>
      )}
      <Entries events={log.events} />
    </>
  );
}

/** Entries, each of which can be linked to. */
export function Entries({ events }: { events: readonly ExecutionEvent[] }) {
  return (
    <>
      {events.map((event) => (
        <Entry event={event} />
      ))}
    </>
  );
}

function Entry({ event }: { event: ExecutionEvent }) {
  const { seq, at, type, data } = event;
  const { title, text = "", tone } = wordsOf(event);
  return (
    <li id={`event-${seq}`} class={tone}>
      <details>
        <summary id={`event-${seq}-head`}>
          <span class="muted">{seq}</span> <strong>{title}</strong> <Time at={at} />
        </summary>
        <p class="muted">{type}</p>
        <JsonView value={data} />
      </details>
      {text !== "" && <p class="plain">{text}</p>}
    </li>
  );
}
