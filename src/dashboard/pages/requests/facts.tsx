import type { Child } from "hono/jsx";
import type { ExecutionState } from "../../../contract/execution.ts";
import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import type { LogEntry } from "../../../contract/inbound/log.ts";
import { Badge, Time } from "../../components/parts.tsx";
import { runPath } from "../executions/paths.ts";
import { DETAILS } from "../executions/words.ts";
import { answerOf } from "./answer.ts";
import { entryPath } from "./paths.ts";
import { Flags } from "./row.tsx";
import { durationOf, isHeld } from "./words.ts";

/** The run of a request, as far as it is told here. */
export type Run = Pick<ExecutionState, "executionId" | "status" | "statusDetail" | "progress">;

/** How a request stands, and what it belongs to. */
export function Facts({
  entry,
  endpoint,
  run,
}: {
  entry: LogEntry;
  endpoint: EndpointRecord;
  run: Run | null;
}) {
  const { endpointId, latencyMs } = entry;
  return (
    <section class="card snug" aria-label="Status">
      <dl class="facts">
        <Fact name="Status">
          <Badge state={entry.status} /> <Flags entry={entry} />
          {isHeld(entry) && <p class="hint">{whyHeld(endpoint)}</p>}
        </Fact>
        <Fact name="Answer">{answerOf(entry)}</Fact>
        <Fact name="Received">
          <Time at={entry.receivedAt} />
          {entry.sourceIp !== null && ` from ${entry.sourceIp}`}
        </Fact>
        <Fact name="Event id">
          {entry.eventId === null ? "None was found." : <code>{entry.eventId}</code>}
        </Fact>
        {entry.duplicate && (
          <Fact name="Came first">
            {entry.duplicateOf === null ? (
              "That request is no longer in the log."
            ) : (
              <EntryLink id="first" endpointId={endpointId} requestId={entry.duplicateOf} />
            )}
          </Fact>
        )}
        {entry.replayOf !== null && (
          <Fact name="Replay of">
            <EntryLink id="original" endpointId={endpointId} requestId={entry.replayOf} />
            {entry.edited ? ", with another payload" : ", as it was"}
          </Fact>
        )}
        <Fact name="To start">{durationOf(latencyMs.toStart)}</Fact>
        <Fact name="To end">{durationOf(latencyMs.toCompletion)}</Fact>
        {entry.executionId !== null && (
          <Fact name="Execution">
            <a id="execution" href={runPath(entry.executionId)}>
              <code>{entry.executionId}</code>
            </a>{" "}
            {run !== null && <RunState run={run} />}
          </Fact>
        )}
      </dl>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: Child }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** A run is running also while it waits for somebody; that is told here. */
function RunState({ run: { status, statusDetail, progress } }: { run: Run }) {
  return (
    <>
      <Badge state={status} /> <span class="muted">{DETAILS[statusDetail]}</span>
      {progress.message !== "" && <p class="hint">{progress.message}</p>}
    </>
  );
}

function EntryLink({
  id,
  endpointId,
  requestId,
}: {
  id: string;
  endpointId: string;
  requestId: string;
}) {
  return (
    <a id={id} href={entryPath(endpointId, requestId)}>
      <code>{requestId}</code>
    </a>
  );
}

function whyHeld({ workflowId }: EndpointRecord): string {
  return workflowId === null
    ? "The endpoint has no workflow. Attach one, and what is held starts in the order of arrival."
    : "It waits for those before it.";
}
