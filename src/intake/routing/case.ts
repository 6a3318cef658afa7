import type { CaseRule } from "../../contract/webhooks/routing.ts";

/** The most events that one execution gets together, and the bytes of their bodies. */
export const MAX_GATHERED = 500;
const MAX_GATHERED_BYTES = 4 * 1_048_576;

/** An event that waits in a case. */
interface WaitingEvent {
  startId: number;
  /** When it arrived, in epoch milliseconds. */
  at: number;
  bytes: number;
  /** The execution that was, or is about to be, told of it; whether it was is not known yet. */
  toldTo: string | null;
}

/** A case: the execution that is live for its key, and the events that wait, oldest first. */
export interface CaseState {
  rule: CaseRule;
  live: string | null;
  /** At least the first `MAX_GATHERED` of them. */
  waiting: readonly WaitingEvent[];
}

/** What a case does next. */
export type CaseStep =
  /** Starts one execution with these events. */
  | { do: "start"; startIds: number[] }
  /** Gives up these events, which a later one replaces. */
  | { do: "supersede"; startIds: number[] }
  /** Tells this execution of an event. */
  | { do: "tell"; startId: number; executionId: string }
  /** Stops the live execution. */
  | { do: "stop"; executionId: string }
  /** Decides again at this time, in epoch milliseconds. */
  | { do: "wait"; until: number }
  | { do: "rest" };

const REST: CaseStep = { do: "rest" };

/**
 * Decides what a case does next: a pure function of what is stored. It is called after every change, so
 * that a crash between two of them changes nothing but the time. An execution starts only while none is
 * live, so no key ever has two.
 */
export function nextStep({ rule, live, waiting }: CaseState, now: number): CaseStep {
  const first = waiting[0];
  const last = waiting.at(-1);
  if (first === undefined || last === undefined) return REST;
  // If it was told, the event is over; only that execution knows, even after its end.
  if (first.toldTo !== null) {
    return { do: "tell", startId: first.startId, executionId: first.toldTo };
  }
  switch (rule.onEvent) {
    case "queue":
      return live === null ? { do: "start", startIds: [first.startId] } : REST;
    case "message":
      return live === null
        ? { do: "start", startIds: [first.startId] }
        : { do: "tell", startId: first.startId, executionId: live };
    case "replace": {
      const older = waiting.slice(0, -1).map(({ startId }) => startId);
      if (older.length > 0) return { do: "supersede", startIds: older };
      return live === null
        ? { do: "start", startIds: [last.startId] }
        : { do: "stop", executionId: live };
    }
    case "collect": {
      if (live !== null) return REST;
      const startIds = gathered(waiting);
      const isFull = startIds.length < waiting.length || waiting.length >= MAX_GATHERED;
      const due = Math.min(
        last.at + rule.quietSeconds * 1_000,
        first.at + rule.maxWaitSeconds * 1_000,
      );
      return isFull || due <= now ? { do: "start", startIds } : { do: "wait", until: due };
    }
  }
}

/** Returns the first events that one execution can get, at least one. */
function gathered(waiting: readonly WaitingEvent[]): number[] {
  const startIds: number[] = [];
  let bytes = 0;
  for (const event of waiting.slice(0, MAX_GATHERED)) {
    bytes += event.bytes;
    if (startIds.length > 0 && bytes > MAX_GATHERED_BYTES) break;
    startIds.push(event.startId);
  }
  return startIds;
}
