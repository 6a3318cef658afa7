import { waitForEventInput } from "../../../contract/tools/call.ts";
import { condition } from "../../../contract/webhooks/routing.ts";
import { Badge, Icon, iconOfTool, LinkButton } from "../../components/elements.tsx";
import { IfMay } from "../../components/layout.tsx";
import { formatCount, formatDuration, formatOffset } from "../../format.ts";
import { executionPath } from "../../paths.ts";
import { conditionText } from "../webhooks/endpoint-routes.tsx";
import { incompleteBy, plainError } from "./labels.ts";
import { isOpen, type LoadedExecution } from "./load.ts";
import {
  type CallRow,
  hasEvent,
  type ModelRow,
  type NoteRow,
  type Span,
  type TimelineRow,
  timelineOf,
} from "./timeline.ts";
import { FileOutput, ValueView } from "./values.tsx";

interface Scale {
  /** When the execution was accepted, in epoch milliseconds. */
  start: number;
  /** The end of the bars' axis, in milliseconds since then. */
  end: number;
  /** Whether the execution still runs, so that what has no end is running. */
  isOpen: boolean;
}

/** What the model and the tools did and what the execution waited for, with a bar for the time that each took. */
export function TimelineView({ view }: { view: LoadedExecution }) {
  const { state, task, log } = view;
  const timeline = timelineOf(log.events, task.createdAt);
  const start = Date.parse(task.createdAt);
  const now = state.finishedAt === null ? Date.now() : Date.parse(state.finishedAt);
  const scale: Scale = { start, end: Math.max(timeline.end, now - start), isOpen: isOpen(state) };
  const path = executionPath(task.executionId);
  return (
    <section aria-label="Timeline">
      <div class="waterfall">
        <ol>
          {timeline.rows.map((row) => (
            <RowView row={row} view={view} scale={scale} />
          ))}
        </ol>
        {scale.isOpen && <pre id="writing" class="prose" />}
      </div>
      <p class="actions">
        {log.after > 0 && (
          <LinkButton href={`${path}?tab=timeline`}>View from the start</LinkButton>
        )}
        {log.nextAfter !== null && (
          <a class="button" href={`${path}?tab=timeline&after=${log.nextAfter}`} rel="next">
            View later events
          </a>
        )}
      </p>
    </section>
  );
}

interface RowProps<Row extends TimelineRow> {
  row: Row;
  view: LoadedExecution;
  scale: Scale;
}

function RowView({ row, ...props }: RowProps<TimelineRow>) {
  if (row.kind === "model") return <Model row={row} {...props} />;
  if (row.kind === "call") return <Call row={row} {...props} />;
  return row.kind === "wait" ? <Wait row={row} {...props} /> : <Note row={row} />;
}

function Model({ row, view, scale }: RowProps<ModelRow>) {
  const { executionId } = view.task;
  const { seq, step, span, credits, tokens } = row;
  const isRunning = span.to === null && scale.isOpen;
  return (
    <li id={`event-${seq}`} class="wf-model">
      <div class="wf-row">
        <span class="wf-name">
          <Icon name="sparkles" />{" "}
          <a href={executionPath(executionId, `/steps/${step}`)}>{`Step ${step} · model`}</a>{" "}
          {isRunning ? (
            <Badge state="running" />
          ) : (
            <IfMay scope="executions:write">
              <a
                class="muted"
                href={executionPath(executionId, `/fork?after=${step}`)}
                aria-label={`Continue from here, after step ${step}`}
              >
                Continue from here
              </a>
            </IfMay>
          )}
        </span>
        <Figures span={span} scale={scale} tone="idle" credits={credits} tokens={tokens} />
      </div>
    </li>
  );
}

function Call({ row, view, scale }: RowProps<CallRow>) {
  const { seqs, tool, title, span, credits, error, outputs, input } = row;
  const isWait = tool === "wait_for_event";
  const isRunning = span.to === null && scale.isOpen;
  const tone = error !== null ? "bad" : isRunning ? "busy" : "good";
  const [first, ...others] = seqs;
  const unnamed = outputs.map(({ label }) => label).filter((label) => !title.includes(label));
  return (
    <li id={`event-${first}`} class={`wf-call ${tone}`}>
      {others.map((seq) => (
        <span id={`event-${seq}`} />
      ))}
      <details open={hasEvent(row, view.opened) || (isRunning && isWait)}>
        <summary class="wf-row" id={`call-${first}`}>
          <span class="wf-name">
            <Icon name={iconOfTool(tool)} /> <code>{tool}</code>
            {title !== tool && ` ${title}`}
            {isWait && <WaitedFor input={input} />}
            {isRunning && <Badge state={isWait ? "waiting_for_event" : "running"} />}
            {error !== null && <Badge state="failed" />}
            {error !== null && <span class="wf-error">{plainError(error.message)}</span>}
            {unnamed.length > 0 && <span class="muted">{` → ${unnamed.join(", ")}`}</span>}
          </span>
          <Figures span={span} scale={scale} tone={isWait ? "wait" : tone} credits={credits} />
        </summary>
        <CallDetails row={row} view={view} />
      </details>
    </li>
  );
}

/** A call with its input, and its result or error. */
function CallDetails({ row, view }: { row: CallRow; view: LoadedExecution }) {
  const { input, result, error, isTruncated, cuts, outputs } = row;
  // Regions of a page need names of their own.
  const of = `of event ${row.seqs[0]}`;
  const files = view.result.outputs
    .filter((output) => output.type === "file")
    .filter(({ outputId }) => outputs.some((one) => one.outputId === outputId));
  return (
    <div class="call">
      {input !== undefined && <p class="part-name">Input</p>}
      {input !== undefined && <ValueView value={input} label={`Input ${of}`} />}
      {(error !== null || result !== undefined) && (
        <p class="part-name">{error === null ? "Result" : "Error"}</p>
      )}
      {error === null ? (
        result !== undefined && <ValueView value={result} label={`Result ${of}`} isFolded />
      ) : (
        <p class="error">
          {error.message} <code>{error.code}</code>
        </p>
      )}
      {cuts.length > 0 && <p class="hint">{incompleteBy(cuts)}</p>}
      {isTruncated && <p class="hint">The log keeps the first 16,384 characters of long values.</p>}
      {files.map((output) => (
        <FileOutput path={executionPath(view.task.executionId)} output={output} />
      ))}
    </div>
  );
}

/** The condition of the event that a call waits for. */
function WaitedFor({ input }: Pick<CallRow, "input">) {
  const { data } = waitForEventInput.safeParse(input);
  const when = condition.safeParse(data?.when);
  return <>{when.success && ` until ${conditionText(when.data)}`}</>;
}

/** A wait for a person, for another try or in the queue, with its reason. */
function Wait({ row: { seq, title, text, span }, scale }: RowProps<NoteRow>) {
  return (
    <li id={`event-${seq}`} class="wf-wait">
      <div class="wf-row">
        <span class="wf-name">
          <Icon name="hourglass" /> <strong>{title}</strong>
          {text !== "" && <span class="plain">{` ${plainError(text)}`}</span>}
        </span>
        <Figures span={span} scale={scale} tone="wait" />
      </div>
    </li>
  );
}

function Note({ row: { seq, span, title, text, tone } }: { row: NoteRow }) {
  return (
    <li id={`event-${seq}`} class={`wf-note ${tone}`}>
      <p>
        <strong>{plainError(title).split("\n", 1)}</strong>{" "}
        <span class="muted">{formatOffset(span.from)}</span>
      </p>
      {text !== "" && <p class="plain">{text}</p>}
    </li>
  );
}

/** The axis in the drawing's own units; a strict Content-Security-Policy forbids styles in attributes. */
const AXIS = 1_000;

/** A span as a bar on the common axis; the figures beside it say the same. */
function Bar({ span, scale, tone }: { span: Span; scale: Scale; tone: string }) {
  const whole = Math.max(1, scale.end);
  const x = Math.min(AXIS - 4, Math.round((span.from / whole) * AXIS));
  const to = span.to ?? (scale.isOpen ? whole : span.from);
  const width = Math.max(4, Math.round(((to - span.from) / whole) * AXIS));
  return (
    <svg
      class={`wf-bar ${tone}`}
      viewBox={`0 0 ${AXIS} 8`}
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <rect x={x} y="0" width={Math.min(width, AXIS - x)} height="8" />
    </svg>
  );
}

/** The time of a row as a bar and in words, and what it cost. What runs counts on. */
function Figures({
  span,
  scale,
  tone,
  credits = null,
  tokens = null,
}: {
  span: Span;
  scale: Scale;
  tone: string;
  credits?: number | null;
  tokens?: ModelRow["tokens"];
}) {
  const since = new Date(scale.start + span.from).toISOString();
  return (
    <>
      <Bar span={span} scale={scale} tone={tone} />
      {span.to === null && scale.isOpen ? (
        <span class="wf-number" data-since={since} />
      ) : (
        <span class="wf-number">{span.to !== null && formatDuration(span.to - span.from)}</span>
      )}
      <span class="wf-number">{credits !== null && formatCount(credits, "credit")}</span>
      <span class="wf-number">
        {tokens !== null && formatCount(tokens.input + tokens.output, "token")}
      </span>
    </>
  );
}
