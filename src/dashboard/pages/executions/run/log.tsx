import type { ExecutionEvent } from "../../../../contract/events.ts";
import { JsonView } from "../../../components/json-view.tsx";
import { Time } from "../../../components/parts.tsx";
import { runPath } from "../paths.ts";
import { offsetOf } from "../words.ts";
import { wordsOf } from "./event-words.ts";
import { LOG_ENTRIES, type LogWindow } from "./load.ts";

interface LogProps {
  executionId: string;
  log: LogWindow;
  /** When the run was accepted. */
  since: string;
}

/** What has happened, the newest last; while the run works, more is added below. */
export function Log(props: LogProps) {
  const { executionId, log } = props;
  return (
    <section aria-labelledby="log-title" class="part" id="log">
      <h2 id="log-title">Log</h2>
      <ol id="events" class="events">
        <EarlierEntries {...props} />
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
export function EarlierEntries({ executionId, log, since }: LogProps) {
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
      <Entries events={log.events} since={since} />
    </>
  );
}

/** Entries, each of which can be linked to. */
export function Entries({ events, since }: { events: readonly ExecutionEvent[]; since: string }) {
  return (
    <>
      {events.map((event) => (
        <Entry event={event} since={since} />
      ))}
    </>
  );
}

/** Its time counts from the beginning of the run: most entries come within the same second. */
function Entry({ event, since }: { event: ExecutionEvent; since: string }) {
  const { seq, at, type, data } = event;
  const { title, text = "", tone } = wordsOf(event);
  return (
    <li id={`event-${seq}`} class={tone}>
      <details>
        <summary id={`event-${seq}-head`}>
          <span class="muted">{seq}</span> <strong>{title}</strong>{" "}
          {/* Marked as told already, so that the reader's browser does not write the moment over it. */}
          <time datetime={at} data-local="">
            {offsetOf(Date.parse(at) - Date.parse(since))}
          </time>
        </summary>
        <p class="muted">
          {`${type} · `}
          <Time at={at} />
        </p>
        <JsonView value={data} />
      </details>
      {text !== "" && <p class="plain">{text}</p>}
    </li>
  );
}
