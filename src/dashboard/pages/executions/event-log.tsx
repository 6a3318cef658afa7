import * as z from "zod";
import type { EventType, ExecutionEvent } from "../../../contract/events.ts";
import { type Source, statusDetail } from "../../../contract/execution.ts";
import { Address, Time } from "../../components/elements.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { executionPath } from "../../paths.ts";
import { countOf, DETAIL_LABELS, offsetOf } from "./labels.ts";
import { LOG_ENTRIES, type LogWindow } from "./load.ts";

/** How an entry looks: the same tones as badges have. */
export type Tone = "good" | "bad" | "attention" | "busy" | "idle";

/** An entry of the log as a reader takes it in at first sight. */
export interface EventWords {
  title: string;
  /** More of it, as it was written. */
  text?: string;
  tone: Tone;
}

const text = z.string().catch("");
const number = z.int().catch(0);
const status = z.object({
  statusDetail: statusDetail.catch("running"),
  status: text,
  error: z.object({ message: text }).optional().catch(undefined),
});
const finished = z.object({
  tool: text,
  ok: z.boolean().catch(true),
  error: z.object({ code: text, message: text }).optional().catch(undefined),
});
const fields = z.object({
  step: number,
  creditsConsumed: number,
  tool: text,
  description: text,
  message: text,
  messageId: text,
  mode: text,
  text,
  label: text,
  type: text,
});

const STATUS_TONES: Record<string, Tone> = {
  active: "busy",
  waiting_for_input: "attention",
  completed: "good",
  failed: "bad",
};

/** Says an entry in words. An entry of an unknown shape says at least what it is. */
export function wordsOf({ type, data }: ExecutionEvent): EventWords {
  return SAYERS[type](data);
}

const SAYERS: Record<EventType, (data: ExecutionEvent["data"]) => EventWords> = {
  status(data) {
    const { status: state, statusDetail: detail, error } = status.parse(data);
    return {
      title: DETAIL_LABELS[detail],
      ...(error !== undefined && { text: error.message }),
      tone: STATUS_TONES[state] ?? "idle",
    };
  },
  "step.started": (data) => ({ title: `Step ${fields.parse(data).step} begins`, tone: "idle" }),
  "step.finished"(data) {
    const { step, creditsConsumed } = fields.parse(data);
    return {
      title: `Step ${step} is done, ${countOf(creditsConsumed, "credit")} used`,
      tone: "idle",
    };
  },
  "tool.started"(data) {
    const { tool, description } = fields.parse(data);
    return { title: tool, text: description, tone: "busy" };
  },
  "tool.finished"(data) {
    const { tool, ok, error } = finished.parse(data);
    if (ok) return { title: `${tool} answered`, tone: "good" };
    return { title: `${tool} did not work`, text: error?.message ?? "", tone: "bad" };
  },
  "message.queued"(data) {
    const { mode, text: said } = fields.parse(data);
    const how = mode === "interrupt" ? "A message came, to interrupt" : "A message came";
    return { title: how, text: said, tone: "idle" };
  },
  "message.applied": () => ({ title: "The message was read", tone: "idle" }),
  "message.dropped": () => ({
    title: "The message was not read: the execution ended first",
    tone: "attention",
  }),
  output(data) {
    const { label, type } = fields.parse(data);
    return { title: `Handed over: ${label}`, text: type, tone: "good" };
  },
  question: (data) => ({ title: "It asks", text: fields.parse(data).text, tone: "attention" }),
  log: (data) => ({ title: "Note", text: fields.parse(data).message, tone: "idle" }),
};

/** Sources that are named one by one. */
const MOST_SOURCES = 8;

/** The part of a run's log that a page shows. */
export interface ShownLog {
  executionId: string;
  first: number;
  /** Null where it shows whatever comes. */
  last: number | null;
}

/** Where a value came from: entries of the log, and the addresses that they read. */
export function SourceLinks({ shown, sources }: { shown: ShownLog; sources: readonly Source[] }) {
  if (sources.length === 0) return null;
  const more = sources.length - MOST_SOURCES;
  return (
    <ul class="sources" aria-label="Sources">
      {/* Whoever hears the list is told so by its name. */}
      <li class="muted" aria-hidden="true">
        From
      </li>
      {sources.slice(0, MOST_SOURCES).map(({ eventSeq, url }) => (
        <li>
          <a href={entryPath(shown, eventSeq)}>{`entry ${eventSeq}`}</a>
          {url !== undefined && (
            <>
              {" "}
              <Address url={url} />
            </>
          )}
        </li>
      ))}
      {more > 0 && <li class="muted">{`and ${more} more`}</li>}
    </ul>
  );
}

/** The entry on this page, else on a page of the log that shows it amid its neighbours. */
function entryPath({ executionId, first, last }: ShownLog, seq: number): string {
  if (seq >= first && (last === null || seq <= last)) return `#event-${seq}`;
  return `${executionPath(executionId)}?until=${seq + LOG_ENTRIES / 2}#event-${seq}`;
}

interface LogProps {
  executionId: string;
  log: LogWindow;
  /** When the run was accepted. */
  since: string;
}

/** What has happened, the newest last; while the run works, more is added below. */
export function EventLog(props: LogProps) {
  const { executionId, log } = props;
  return (
    <section aria-labelledby="log-title" class="part" id="log">
      <h2 id="log-title">EventLog</h2>
      <ol id="events" class="events">
        <EarlierEntries {...props} />
      </ol>
      {!log.isNewest && (
        <p>
          <a class="button" href={`${executionPath(executionId)}#log`}>
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
  const path = executionPath(executionId);
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
