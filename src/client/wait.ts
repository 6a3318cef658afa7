import type { ExecutionState } from "../contract/execution.ts";
import { isFinal } from "../contract/words.ts";
import { startDeadline } from "../lib/async.ts";
import { isRateLimited, WaitTimeoutError, withExecution } from "./error.ts";
import type { CallOptions, ClientRuntime } from "./transport.ts";

const LONG_POLL_SECONDS = 30;
const FIRST_PAUSE_MS = 100;
/** Keeps one wait within half of an account's 60 requests a minute. */
const LONGEST_PAUSE_MS = 2_000;
/** The window of the rate limit: the pause after a refusal that names none. */
const RATE_WINDOW_SECONDS = 60;
/** The longest delay that a timer accepts. */
const FOREVER_MS = 2 ** 31 - 1;

export interface WaitOptions extends CallOptions {
  /** Receives each new state. In `waiting_for_input`, `question` holds what the agent asks. */
  onProgress?: ((state: ExecutionState) => void | Promise<void>) | undefined;
  /** Throws `WaitTimeoutError` after this many milliseconds (default: no timeout). */
  timeoutMs?: number | undefined;
}

/** The calls that waiting uses. */
interface StatusReader<Result> {
  status(
    executionId: string,
    query: { sinceVersion?: number; waitSeconds?: number },
    options: CallOptions,
  ): Promise<ExecutionState>;
  result(executionId: string, query: object, options: CallOptions): Promise<Result>;
}

/** Polls until the execution finishes and returns its result. */
export async function untilFinished<Result>(
  executions: StatusReader<Result>,
  executionId: string,
  { onProgress, signal = new AbortController().signal, timeoutMs = FOREVER_MS }: WaitOptions,
  { sleep }: ClientRuntime,
): Promise<Result> {
  const deadline = startDeadline(Math.min(timeoutMs, FOREVER_MS), signal);
  const within = { signal: deadline.signal };
  /** Repeats a poll that the rate limit refused: the execution is paid for, and continues. */
  async function allowed<T>(poll: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await poll();
      } catch (error) {
        if (!isRateLimited(error)) throw error;
        const pauseMs = (error.retryAfterSeconds ?? RATE_WINDOW_SECONDS) * 1_000;
        await sleep(Math.min(pauseMs, FOREVER_MS), deadline.signal);
      }
    }
  }
  try {
    let state = await allowed(() => executions.status(executionId, {}, within));
    let pauseMs = FIRST_PAUSE_MS;
    await onProgress?.(state);
    while (!isFinal(state.status)) {
      // A busy execution changes all the time: polling without a pause would use up the rate limit.
      await sleep(pauseMs, deadline.signal);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
      const { version } = state;
      const query = { sinceVersion: version, waitSeconds: LONG_POLL_SECONDS };
      state = await allowed(() => executions.status(executionId, query, within));
      if (state.version > version) await onProgress?.(state);
    }
    return await allowed(() => executions.result(executionId, {}, within));
  } catch (error) {
    if (deadline.expired && !signal.aborted) throw new WaitTimeoutError(executionId, timeoutMs);
    throw withExecution(error, executionId);
  } finally {
    deadline.clear();
  }
}
