import * as z from "zod";
import { isUnreadableState } from "../durable/schema.ts";
import { LockedEndpointError } from "../intake/secrets.ts";
import { logError } from "../lib/log.ts";
import { HttpProblem, unavailable } from "./problem.ts";

/** The platform's flags of a failed call to an object; a reset often carries none. */
const objectFailure = z
  .object({
    /** Thrown by the object's own code rather than on the way to it. */
    remote: z.boolean().default(false),
    /** The same call may succeed at once. */
    retryable: z.boolean().default(false),
    /** The object is overloaded; another call makes it worse. */
    overloaded: z.boolean().default(false),
    durableObjectReset: z.boolean().default(false),
  })
  .catch({ remote: false, retryable: false, overloaded: false, durableObjectReset: false });
type ObjectFailure = z.infer<typeof objectFailure>;

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
    const failure = objectFailure.parse(error);
    const isFinal = failure.overloaded || isOwnFault(failure) || isUnreadableState(error);
    if (isFinal) throw asProblem(error);
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

/** An exception in the object's own code is a 500: waiting does not help. */
function isOwnFault({ remote, retryable, overloaded, durableObjectReset }: ObjectFailure): boolean {
  return remote && !retryable && !overloaded && !durableObjectReset;
}

function asProblem(error: unknown): unknown {
  if (isUnreadableState(error)) return error;
  if (error instanceof HttpProblem || isOwnFault(objectFailure.parse(error))) return error;
  logError("object call failed", {}, error);
  return unavailable("The service is temporarily unavailable. Try again in a moment.");
}
