import * as z from "zod";
import type { EventType, ExecutionEvent } from "../../../contract/events.ts";
import { type Source, statusDetail } from "../../../contract/execution.ts";
import { Address, Time } from "../../components/elements.tsx";
import { JsonView } from "../../components/json-view.tsx";
import { formatCount, formatOffset } from "../../format.ts";
import { executionPath } from "../../paths.ts";
import { DETAIL_LABELS } from "./labels.ts";
import { LOG_ENTRIES, type LogWindow } from "./load.ts";

/** The tone of an event, as badges have it. */
type Tone = "good" | "bad" | "attention" | "busy" | "idle";

/** An event in words. */
interface EventText {
  title: string;
  /** The text of the event. */
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
const planFields = z.object({ parts: z.array(z.string()).catch([]) });

const STATUS_TONES: Record<string, Tone> = {
  active: "busy",
  waiting_for_input: "attention",
  completed: "good",
  failed: "bad",
};

/** Describes an event. An event of an unknown shape still gets a title. */
export function describeEvent({ type, data }: ExecutionEvent): EventText {
  return SAYERS[type](data);
}

const SAYERS: Record<EventType, (data: ExecutionEvent["data"]) => EventText> = {
  status(data) {
    const { status: state, statusDetail: detail, error } = status.parse(data);
    return {
      title: DETAIL_LABELS[detail],
      ...(error !== undefined && { text: error.message }),
      tone: STATUS_TONES[state] ?? "idle",
    };
  },
  plan: (data) => ({ title: "Plan", text: planFields.parse(data).parts.join("\n"), tone: "idle" }),
  "step.started": (data) => ({ title: `Step ${fields.parse(data).step} started`, tone: "idle" }),
  "step.finished"(data) {
    const { step, creditsConsumed } = fields.parse(data);
    return {
      title: `Step ${step} finished, ${formatCount(creditsConsumed, "credit")} used`,
      tone: "idle",
    };
  },
  "tool.started"(data) {
    const { tool, description } = fields.parse(data);
    return { title: tool, text: description, tone: "busy" };
  },
  "tool.finished"(data) {
    const { tool, ok, error } = finished.parse(data);
    if (ok) return { title: `${tool} succeeded`, tone: "good" };
    return { title: `${tool} failed`, text: error?.message ?? "", tone: "bad" };
  },
  "message.queued"(data) {
    const { mode, text: said } = fields.parse(data);
    const how = mode === "interrupt" ? "Interrupting message received" : "Message received";
    return { title: how, text: said, tone: "idle" };
  },
  "message.applied": () => ({ title: "Message delivered to the agent", tone: "idle" }),
  "message.dropped": () => ({
    title: "Message not delivered: the execution ended first",
    tone: "attention",
  }),
  output(data) {
    const { label, type } = fields.parse(data);
    return { title: `Output: ${label}`, text: type, tone: "good" };
  },
  question: (data) => ({ title: "Question", text: fields.parse(data).text, tone: "attention" }),
  log: (data) => ({ title: "Log message", text: fields.parse(data).message, tone: "idle" }),
};

/** The most sources that are listed. */
const MAX_SOURCES = 8;

/** The part of an execution's log that a page shows. */
export interface ShownLog {
  executionId: string;
  first: number;
  /** Null where new events are added to it. */
  last: number | null;
}

/** The sources of a value: events of the log, and the URLs that they read. */
export function SourceLinks({ shown, sources }: { shown: ShownLog; sources: readonly Source[] }) {
  if (sources.length === 0) return null;
  const more = sources.length - MAX_SOURCES;
  return (
    <ul class="sources" aria-label="Sources">
      {/* Screen readers announce the list by its name. */}
      <li class="muted" aria-hidden="true">
        Sources
      </li>
      {sources.slice(0, MAX_SOURCES).map(({ eventSeq, url }) => (
        <li>
          <a href={entryPath(shown, eventSeq)}>{`event ${eventSeq}`}</a>
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

/** Returns the event on this page, else a page of the log with the event amid its neighbours. */
function entryPath({ executionId, first, last }: ShownLog, seq: number): string {
  if (seq >= first && (last === null || seq <= last)) return `#event-${seq}`;
  return `${executionPath(executionId)}?until=${seq + LOG_ENTRIES / 2}#event-${seq}`;
}

interface LogProps {
  executionId: string;
  log: LogWindow;
  /** When the execution was accepted. */
  since: string;
}

/** The events, the newest last; new ones are added below. */
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
            View newest events
          </a>
        </p>
      )}
    </section>
  );
}

/** Events after a link to earlier ones, which replace the link. */
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
            {`View ${Math.min(first - 1, LOG_ENTRIES)} earlier events`}
          </a>
        </li>
      )}
      <Entries events={log.events} since={since} />
    </>
  );
}

/** Events with anchors to link to. */
export function Entries({ events, since }: { events: readonly ExecutionEvent[]; since: string }) {
  return (
    <>
      {events.map((event) => (
        <Entry event={event} since={since} />
      ))}
    </>
  );
}

/** Times count from the start of the execution: many events share a second. */
function Entry({ event, since }: { event: ExecutionEvent; since: string }) {
  const { seq, at, type, data } = event;
  const { title, text = "", tone } = describeEvent(event);
  return (
    <li id={`event-${seq}`} class={tone}>
      <details>
        <summary id={`event-${seq}-head`}>
          <span class="muted">{seq}</span> <strong>{title}</strong>{" "}
          {/* Marked as localized, so that the reader's browser does not replace the offset. */}
          <time datetime={at} data-local="">
            {formatOffset(Date.parse(at) - Date.parse(since))}
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
