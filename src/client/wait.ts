import { type ExecutionResult, type ExecutionState, isFinal } from "../contract/execution.ts";
import { startDeadline } from "../lib/deadline.ts";
import { WaitTimeoutError } from "./error.ts";
import type { Abortable } from "./pages.ts";
import type { Surroundings } from "./surroundings.ts";

const LONG_POLL_SECONDS = 30;
const FIRST_PAUSE_MS = 100;
/** With it, one wait takes half of the sixty requests that an account has a minute, at the most. */
const LONGEST_PAUSE_MS = 2_000;
/** The longest time that a timer can be set to. */
const FOREVER_MS = 2 ** 31 - 1;

export interface Waiting extends Abortable {
  /** Told of each state that is seen. While it is `waiting_for_input`, `question` says for what. */
  onProgress?: ((state: ExecutionState) => void | Promise<void>) | undefined;
  /** After this long, `WaitTimeoutError`; as long as it takes, where it is left out. */
  timeoutMs?: number | undefined;
}

/** The calls that waiting is made of. */
export interface Waited {
  status(
    executionId: string,
    query: { sinceVersion?: number; waitSeconds?: number },
    options: Abortable,
  ): Promise<ExecutionState>;
  result(executionId: string, query: object, options: Abortable): Promise<ExecutionResult>;
}

/** Waits for the end of an execution; answers its result, whether or not it came to a good one. */
export async function untilEnded(
  executions: Waited,
  executionId: string,
  { onProgress, signal = new AbortController().signal, timeoutMs = FOREVER_MS }: Waiting,
  { sleep }: Surroundings,
): Promise<ExecutionResult> {
  const deadline = startDeadline(Math.min(timeoutMs, FOREVER_MS), signal);
  const within = { signal: deadline.signal };
  try {
    let state = await executions.status(executionId, {}, within);
    let pauseMs = FIRST_PAUSE_MS;
    await onProgress?.(state);
    while (!isFinal(state.status)) {
      // A busy execution has news at once, each time: asking without a pause would use up the rate.
      await sleep(pauseMs, deadline.signal);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      const { version } = state;
      const query = { sinceVersion: version, waitSeconds: LONG_POLL_SECONDS };
      state = await executions.status(executionId, query, within);
      if (state.version > version) await onProgress?.(state);
    }
    return await executions.result(executionId, {}, within);
  } catch (error) {
    if (deadline.expired && !signal.aborted) throw new WaitTimeoutError(executionId, timeoutMs);
    throw error;
  } finally {
    deadline.clear();
  }
}
