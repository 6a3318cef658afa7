import * as z from "zod";
import type { Prompthook } from "../../../client/prompthook.ts";
import type { ExecutionEvent } from "../../../contract/events.ts";
import type { ExecutionResult, ExecutionState } from "../../../contract/execution.ts";
import { Callbacks, Redeliver } from "./callbacks.tsx";
import { Ask, askKey, ExecutionActions, MessageActions } from "./controls.tsx";
import { Entries } from "./event-log.tsx";
import { Now, StatusLine, Usage } from "./facts.tsx";
import { eventsAfter, isOpen, type LoadedExecution } from "./load.ts";
import { Effects, effectsKey, Outcome, OutputCards } from "./results.tsx";

/** What the reader's page shows, so that an update includes only what it does not. */
export interface Seen {
  /** The first event of the log. */
  first: number;
  /** The last one; null where the page shows an older part of the log. */
  last: number | null;
  outputs: number;
  status: string;
  ask: string;
  effects: string;
}

const count = z.coerce.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** Reads it from the query of a request. */
export const seenQuery = z.object({
  first: count.catch(1),
  last: z.union([z.literal("").transform(() => null), count]).catch(null),
  outputs: count.catch(0),
  status: z.string().catch(""),
  ask: z.string().catch(""),
  effects: z.string().catch(""),
});

/** Returns what a page shows of this execution. */
export function seenOf({ state, result, log }: LoadedExecution): Seen {
  return {
    first: log.events[0]?.seq ?? 1,
    last: log.isNewest ? (log.events.at(-1)?.seq ?? 0) : null,
    outputs: result.outputs.length,
    status: statusKey(state),
    ask: askKey(state.question),
    effects: effectsKey(result.effects),
  };
}

function statusKey({ status, statusDetail }: LoadedExecution["state"]): string {
  return `${status} ${statusDetail}`;
}

/** Goes with each request for an update. */
export function SeenForm({ seen, isUpdate }: { seen: Seen; isUpdate: boolean }) {
  return (
    <form id="seen" hidden {...(isUpdate && { "hx-swap-oob": "true" })}>
      {Object.entries(seen).map(([name, value]) => (
        <input type="hidden" name={name} value={value ?? ""} />
      ))}
    </form>
  );
}

/** What has changed since a page showed the execution. */
export interface Changes {
  seen: Seen;
  state: ExecutionState;
  events: ExecutionEvent[];
  /** Null where no output or effect can be new. */
  result: ExecutionResult | null;
  /** Null while the status is the one that the page shows. */
  turn: Pick<LoadedExecution, "task" | "callbacks"> | null;
}

/** Loads what is new to a page that shows `seen`; the status first, as for the whole page. */
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
 * The changed parts of the page, each of which replaces its old version. Controls that the reader may
 * be typing into, and unfolded details, stay.
 */
export function UpdatedParts({ changes }: { changes: Changes }) {
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
          <ExecutionActions state={state} isUpdate />
          <MessageActions state={state} isUpdate />
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
