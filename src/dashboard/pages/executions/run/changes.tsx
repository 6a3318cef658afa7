import type { Prompthook } from "../../../../client/prompthook.ts";
import type { ExecutionEvent } from "../../../../contract/events.ts";
import type { ExecutionResult, ExecutionState } from "../../../../contract/execution.ts";
import { Ask, askKey } from "./ask.tsx";
import { Callbacks, Redeliver } from "./callbacks.tsx";
import { Effects, effectsKey } from "./effects.tsx";
import { eventsAfter, isOpen, type Run } from "./load.ts";
import { Entries } from "./log.tsx";
import { Now, StatusLine } from "./now.tsx";
import { Outcome } from "./outcome.tsx";
import { OutputCards } from "./outputs.tsx";
import { SayActions } from "./say.tsx";
import { type Seen, SeenForm, statusKey } from "./seen.tsx";
import { RunActions } from "./stop.tsx";
import { Usage } from "./usage.tsx";

/** What has happened to a run since a page showed it. */
export interface Changes {
  seen: Seen;
  state: ExecutionState;
  events: ExecutionEvent[];
  /** Null where nothing can have been made. */
  result: ExecutionResult | null;
  /** Null while the run is in the status that the page shows. */
  turn: Pick<Run, "task" | "callbacks"> | null;
}

/** Reads what is new to a page that shows `seen`; the status first, as for the whole page. */
export async function loadChanges(
  api: Prompthook,
  executionId: string,
  seen: Seen,
): Promise<Changes> {
  const state = await api.executions.status(executionId);
  const events = seen.last === null ? [] : await eventsAfter(api, executionId, seen.last);
  const isTurn = statusKey(state) !== seen.status;
  const mayHaveMade = isTurn || seen.last === null || events.some(isOfMaking);
  const result = mayHaveMade ? await api.executions.result(executionId, { partial: true }) : null;
  return { seen, state, events, result, turn: isTurn ? await readTurn(api, executionId) : null };
}

async function readTurn(api: Prompthook, executionId: string) {
  const [task, callbacks] = await Promise.all([
    api.executions.task(executionId),
    api.executions.callbacks(executionId),
  ]);
  return { task, callbacks };
}

function isOfMaking({ type }: ExecutionEvent): boolean {
  return type === "output" || type === "tool.started" || type === "tool.finished";
}

/**
 * The parts of the page that have changed, each to take the place of its old self. Whatever somebody
 * may be typing into, or has unfolded, is left alone.
 */
export function ChangedParts({ changes }: { changes: Changes }) {
  const { seen, state, events, result, turn } = changes;
  return (
    <>
      <Now state={state} isUpdate />
      {turn !== null && (
        <p id="status" hx-swap-oob="innerHTML">
          <StatusLine state={state} />
        </p>
      )}
      {askKey(state.question) !== seen.ask && <Ask state={state} sent={null} isUpdate />}
      {result !== null && <Made changes={changes} result={result} />}
      {events.length > 0 && (
        <ol hx-swap-oob="beforeend:#events">
          <Entries events={events} since={state.createdAt} />
        </ol>
      )}
      {turn !== null && <Callbacks {...turn} isUpdate />}
      {turn !== null && !isOpen(state) && (
        <>
          <RunActions state={state} isUpdate />
          <SayActions state={state} isUpdate />
          <Redeliver task={turn.task} isOver sent={null} isUpdate />
        </>
      )}
      <SeenForm seen={nowSeen(changes)} isUpdate />
    </>
  );
}

function Made({ changes, result }: { changes: Changes; result: ExecutionResult }) {
  const { seen, state } = changes;
  const outputs = result.outputs.slice(seen.outputs);
  const isOver = !isOpen(state);
  const shown = {
    executionId: state.executionId,
    first: seen.first,
    last: seen.last === null ? 0 : null,
  };
  return (
    <>
      {isOver && <Outcome state={state} result={result} isUpdate />}
      {isOver && <Usage state={state} result={result} isUpdate />}
      {outputs.length > 0 && (
        <div hx-swap-oob="beforeend:#outputs">
          <OutputCards outputs={outputs} shown={shown} />
        </div>
      )}
      {(isOver || effectsKey(result.effects) !== seen.effects) && (
        <Effects effects={result.effects} isOver={isOver} isUpdate />
      )}
    </>
  );
}

function nowSeen({ seen, state, events, result }: Changes): Seen {
  return {
    first: seen.first,
    last: seen.last === null ? null : (events.at(-1)?.seq ?? seen.last),
    outputs: result === null ? seen.outputs : result.outputs.length,
    status: statusKey(state),
    ask: askKey(state.question),
    effects: result === null ? seen.effects : effectsKey(result.effects),
  };
}
