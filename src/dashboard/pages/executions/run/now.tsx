import type { ExecutionState } from "../../../../contract/execution.ts";
import { Badge, Time } from "../../../components/parts.tsx";
import { DETAILS, spanOf } from "../words.ts";
import { isOpen } from "./load.ts";

/** What is said to a screen reader when the status changes; the element that holds it stays. */
export function StatusLine({ state }: { state: ExecutionState }) {
  return (
    <>
      <Badge state={state.status} /> <strong>{DETAILS[state.statusDetail]}</strong>
    </>
  );
}

/** How far the run has come. Nothing in it takes the focus, so it is replaced at each change. */
export function Now({ state, isUpdate }: { state: ExecutionState; isUpdate: boolean }) {
  const { progress } = state;
  return (
    <div id="now" {...(isUpdate && { "hx-swap-oob": "true" })}>
      {/* While it waits, this is the question, which stands below in full. */}
      {state.status === "active" && <p class="run-message">{progress.message}</p>}
      {isOpen(state) && progress.percent !== null && (
        <progress max={100} value={progress.percent} aria-label="Progress" />
      )}
      <dl class="numbers">
        <div>
          <dt>Steps</dt>
          <dd>
            {progress.stepsCompleted}
            {isOpen(state) && <span class="muted">{` · now ${progress.currentStep}`}</span>}
          </dd>
        </div>
        <div>
          <dt>Credits</dt>
          <dd>{state.creditsConsumed}</dd>
        </div>
        <div>
          <dt>Elapsed</dt>
          <dd>
            <Elapsed state={state} />
          </dd>
        </div>
        <div>
          <dt>Started</dt>
          <dd>
            <Time at={state.startedAt} />
          </dd>
        </div>
        <div>
          <dt>Finished</dt>
          <dd>
            <Time at={state.finishedAt} />
          </dd>
        </div>
      </dl>
    </div>
  );
}

/** From the beginning to the end; until then the reader's browser lets it tick. */
function Elapsed({ state }: { state: ExecutionState }) {
  const from = state.startedAt ?? state.createdAt;
  const until = state.finishedAt === null ? Date.now() : Date.parse(state.finishedAt);
  const span = spanOf(until - Date.parse(from));
  return isOpen(state) ? <span data-since={from}>{span}</span> : <span>{span}</span>;
}
