import { ConnectionError, PrompthookError, UnexpectedAnswerError } from "./error.ts";
import type { Surroundings } from "./surroundings.ts";

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;
/** Whoever is asked to wait longer than this is better told. */
const LONGEST_RETRY_AFTER_MS = 60_000;

export interface RetryPolicy {
  /** Tries after the first. */
  maxRetries: number;
  surroundings: Surroundings;
}

/**
 * Makes tries until one succeeds, fails for good, or there were enough. Only for what may safely be
 * done twice: a try that seems to have failed may have been acted on.
 */
export async function retrying<Answer>(
  { maxRetries, surroundings }: RetryPolicy,
  signal: AbortSignal,
  attempt: () => Promise<Answer>,
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const pauseMs = tries > maxRetries ? null : pauseAfter(error, tries, surroundings.random);
      if (pauseMs === null) throw error;
      await surroundings.sleep(pauseMs, signal);
    }
  }
}

/** How long to wait after a failed try; null for a failure that the next try would meet as well. */
export function pauseAfter(error: unknown, tries: number, random: () => number): number | null {
  if (!isPassing(error)) return null;
  const backoffMs = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (tries - 1));
  // Half of it is left to chance, so that clients that failed together do not come back together.
  const jitterMs = (backoffMs / 2) * random();
  const askedMs = error instanceof ConnectionError ? null : error.retryAfterSeconds;
  if (askedMs === null) return backoffMs / 2 + jitterMs;
  return askedMs * 1_000 > LONGEST_RETRY_AFTER_MS ? null : askedMs * 1_000 + jitterMs;
}

type Passing = ConnectionError | PrompthookError | UnexpectedAnswerError;

function isPassing(error: unknown): error is Passing {
  if (error instanceof ConnectionError) return true;
  if (error instanceof PrompthookError) return [429, 502, 503, 504].includes(error.status);
  // A fault that is not told in the service's way is one of a proxy before it.
  return error instanceof UnexpectedAnswerError && (error.status === 429 || error.status >= 500);
}
