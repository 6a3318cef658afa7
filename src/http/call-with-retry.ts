import { isUnreadableState } from "../durable/schema.ts";
import { callFailure } from "../durable/stubs.ts";
import { LockedEndpointError } from "../intake/secrets.ts";
import { logError } from "../lib/log.ts";
import { HttpProblem, unavailable } from "./problem.ts";

/**
 * Calls an object or the database, and once more if that fails: a repeat must change nothing. Throws a 503
 * if neither succeeds. `call` must take a new stub each time, because a stub stays broken after its
 * object was reset.
 */
export async function callWithRetry<Answer>(
  call: (isRepeat: boolean) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await call(false);
  } catch (error) {
    const { isOverloaded, isOwnFault } = callFailure(error);
    if (isOverloaded || isOwnFault || isUnreadableState(error)) throw asProblem(error);
  }
  return callOnce(() => call(true));
}

/** Calls an object or the database. Throws a 503 if that fails. */
export async function callOnce<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    throw asProblem(error);
  }
}

/** Opens an endpoint's secrets. Throws a 503 if they cannot be decrypted, so that senders retry. */
export async function secretsOr503<Opened>(opening: Promise<Opened>): Promise<Opened> {
  try {
    return await opening;
  } catch (error) {
    if (!(error instanceof LockedEndpointError)) throw error;
    throw unavailable("The endpoint's secrets cannot be decrypted. Try again later.", 60);
  }
}

/** Returns the problem of a failed call. An exception in the object's own code is a 500. */
function asProblem(error: unknown): unknown {
  if (isUnreadableState(error) || error instanceof HttpProblem) return error;
  if (callFailure(error).isOwnFault) return error;
  logError("object call failed", {}, error);
  return unavailable("The service is temporarily unavailable. Try again in a moment.");
}
