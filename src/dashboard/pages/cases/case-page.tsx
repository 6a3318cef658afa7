import type { CaseMoment, CaseRecord } from "../../../contract/webhooks/case.ts";
import type { EndpointRecord } from "../../../contract/webhooks/endpoint.ts";
import { Badge, Facts, LinkButton, Time } from "../../components/elements.tsx";
import { type Column, Table } from "../../components/table.tsx";
import { formatCount, formatDuration } from "../../format.ts";
import { casePath, endpointPath, executionPath, requestPath } from "../../paths.ts";
import { EndpointPage } from "../webhooks/endpoint-layout.tsx";

/** What a further event does while an execution is live. */
const ON_EVENT_TEXTS: Record<CaseRecord["onEvent"], string> = {
  queue: "starts its own execution afterwards",
  message: "is sent to the live execution as data",
  collect: "is collected; one execution gets them all",
  replace: "stops the live execution and starts another",
};

/** One case: its events and its executions in one timeline. */
export function CasePage({
  endpoint,
  record,
  nextCursor,
  live,
}: {
  endpoint: EndpointRecord;
  record: CaseRecord;
  /** The cursor of earlier events, or null. */
  nextCursor: string | null;
  live: string | null;
}) {
  const { key, route, onEvent, executionId, waiting, timeline } = record;
  const numbers = numbersOf(timeline);
  return (
    <EndpointPage endpoint={endpoint} tab="cases" live={live}>
      <div class="entry-head">
        <h2>{key}</h2>
        <LinkButton href={endpointPath(endpoint.endpointId, "/cases")}>View all cases</LinkButton>
      </div>
      <section class="card" aria-label="State of the case" id="case-state">
        <Facts
          facts={[
            ["Route", route],
            ["A further event", ON_EVENT_TEXTS[onEvent]],
            [
              "Live execution",
              executionId === null ? (
                "none"
              ) : (
                <a href={executionPath(executionId)}>
                  {executionName(numbers.get(executionId) ?? null)}
                </a>
              ),
            ],
            ["Waiting", formatCount(waiting, "event")],
          ]}
        />
      </section>
      <section class="part" aria-labelledby="case-timeline">
        <h2 id="case-timeline">Timeline</h2>
        {nextCursor !== null && (
          <p>
            <a href={`${casePath(record)}&${new URLSearchParams({ cursor: nextCursor })}`}>
              View earlier events
            </a>
          </p>
        )}
        <Table label="Timeline" columns={columnsOf(record, numbers)} rows={timeline} />
      </section>
    </EndpointPage>
  );
}

/** Numbers the executions of a timeline in the order in which it names them. */
function numbersOf(timeline: readonly CaseMoment[]): Map<string, number> {
  const numbers = new Map<string, number>();
  for (const { executionId } of timeline) {
    if (executionId !== null && !numbers.has(executionId)) {
      numbers.set(executionId, numbers.size + 1);
    }
  }
  return numbers;
}

function executionName(number: number | null): string {
  return number === null ? "Execution" : `Execution ${number}`;
}

/** Returns how the timeline shows a moment: when it was, what happened, what came of it. */
function columnsOf(
  { endpointId, timeline }: CaseRecord,
  numbers: ReadonlyMap<string, number>,
): Column<CaseMoment>[] {
  const execution = ({ executionId }: CaseMoment) =>
    executionId !== null && (
      <a href={executionPath(executionId)}>{executionName(numbers.get(executionId) ?? null)}</a>
    );
  const happened = (moment: CaseMoment) => {
    if (moment.type === "execution.started") return <>{execution(moment)} started</>;
    if (moment.type === "execution.ended") {
      const after = ` after ${formatDuration(lifetimeOf(moment, timeline))}`;
      return (
        <>
          {execution(moment)} ended<span class="muted">{after}</span>
        </>
      );
    }
    return (
      <>
        <a href={requestPath(endpointId, moment.requestId)}>{moment.eventType ?? "Event"}</a>
        {moment.executionId === null ? " waits" : <> → {execution(moment)}</>}
      </>
    );
  };
  return [
    { name: "Time", isBare: true, cell: ({ at }) => <Time at={at} /> },
    { name: "What happened", is: "wrap", isBare: true, cell: happened },
    {
      name: "State",
      isBare: true,
      cell: (moment) =>
        moment.type !== "execution.started" && (
          <Badge state={moment.executionId === null ? "queued" : moment.status} />
        ),
    },
  ];
}

/** Returns the milliseconds between the start and the end of an execution, or null for an unknown start. */
function lifetimeOf(
  { at, executionId }: Extract<CaseMoment, { type: "execution.ended" }>,
  timeline: readonly CaseMoment[],
): number | null {
  const start = timeline.find(
    (moment) => moment.type === "execution.started" && moment.executionId === executionId,
  );
  return start === undefined ? null : Date.parse(at) - Date.parse(start.at);
}
