import type { Child } from "hono/jsx";
import { Badge } from "../../../components/parts.tsx";
import { filePath, runPath } from "../../executions/paths.ts";
import { DETAILS, sentencesOf } from "../../executions/words.ts";
import { entryPath } from "../../requests/paths.ts";
import { durationOf, gistOf } from "../../requests/words.ts";
import {
  type FirstRun,
  fingerprintOf,
  isRunDone,
  isRunOpen,
  isWebhookDone,
  isWebhookOpen,
} from "./state.ts";

/** Soon after there was news there may be more; later on the calls behind it must not add up. */
const WHEN = "load delay:500ms, every 2s";

/** What is known of the first run, renewed until it has ended. */
export function RunProgress({ state }: { state: FirstRun }) {
  const { run, files } = state;
  return (
    <Progress id="run-progress" state={state} isOpen={isRunOpen(state)}>
      {run !== null && (
        <>
          <p>
            <Badge state={run.status} />{" "}
            {run.summary === null ? DETAILS[run.statusDetail] : sentencesOf(run.summary, 200)}
          </p>
          <p class="actions">
            {files.map(({ outputId, filename }) => (
              <a class="button" href={filePath(run.executionId, outputId)}>
                {`Download ${filename}`}
              </a>
            ))}
            <a class="button" href={runPath(run.executionId)}>
              {isRunDone(state) ? "See its steps and results" : "Open the execution"}
            </a>
          </p>
        </>
      )}
    </Progress>
  );
}

/** What is known of the first webhook, renewed until one has come and its run has ended. */
export function WebhookProgress({ state }: { state: FirstRun }) {
  const { endpoint, arrival } = state.webhook;
  return (
    <Progress id="webhook-progress" state={state} isOpen={isWebhookOpen(state)}>
      {endpoint !== null && arrival === null && (
        <p>
          <Badge state="waiting" /> Waiting for the first request.
        </p>
      )}
      {endpoint !== null && arrival !== null && (
        <p>
          <Badge state={arrival.status} />{" "}
          {isWebhookDone(state) ? `Received. ${tookOf(state)}` : gistOf(arrival) || "Received."}{" "}
          <a href={entryPath(endpoint.endpointId, arrival.requestId)}>See the request</a>
          {arrival.executionId !== null && (
            <>
              {" and "}
              <a href={runPath(arrival.executionId)}>its execution</a>
            </>
          )}
        </p>
      )}
    </Progress>
  );
}

function tookOf({ webhook: { arrival } }: FirstRun): string {
  const { toStart, toCompletion } = arrival?.latencyMs ?? { toStart: null, toCompletion: null };
  if (toStart === null || toCompletion === null) return "";
  return `Its execution began after ${durationOf(toStart)} and was done after ${durationOf(toCompletion)}.`;
}

/** The part that is asked for again and again, and answers only when there is news. */
function Progress({
  id,
  state,
  isOpen,
  children,
}: {
  id: "run-progress" | "webhook-progress";
  state: FirstRun;
  isOpen: boolean;
  children: Child;
}) {
  const seen = encodeURIComponent(fingerprintOf(state));
  return (
    <div
      id={id}
      {...(isOpen && {
        "data-live": "",
        "hx-get": `/dashboard/first-run/${id}?seen=${seen}`,
        "hx-trigger": WHEN,
        "hx-swap": "outerHTML",
      })}
    >
      {children}
    </div>
  );
}
