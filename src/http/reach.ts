import * as z from "zod";
import { logError } from "../lib/log.ts";
import { HttpProblem, unavailable } from "./problem.ts";

/** What the platform says of a call to an object that failed; a reset often comes without a word. */
const objectFailure = z
  .object({
    /** Thrown by the object's own code, as against by the way to it. */
    remote: z.boolean().default(false),
    /** The same call may succeed at once. */
    retryable: z.boolean().default(false),
    /** The object has more to do than it can; calling again makes it worse. */
    overloaded: z.boolean().default(false),
    durableObjectReset: z.boolean().default(false),
  })
  .catch({ remote: false, retryable: false, overloaded: false, durableObjectReset: false });
type ObjectFailure = z.infer<typeof objectFailure>;

/**
 * Calls an object or the database. One that cannot be reached is answered with 503. With `again` the
 * call may run twice: only for what a repeat does not change. `call` must take a new stub each time,
 * since a stub stays broken once its object was reset.
 */
export async function reach<Answer>(
  call: () => Promise<Answer>,
  { again }: { again: boolean },
): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    const failure = objectFailure.parse(error);
    if (!again || failure.overloaded || isOurFault(failure)) throw asProblem(error);
  }
  try {
    return await call();
  } catch (error) {
    throw asProblem(error);
  }
}

/** A fault in the object's own code stays what it is: ours, and not better by waiting. */
function isOurFault({ remote, retryable, overloaded, durableObjectReset }: ObjectFailure): boolean {
  return remote && !retryable && !overloaded && !durableObjectReset;
}

function asProblem(error: unknown): unknown {
  if (error instanceof HttpProblem || isOurFault(objectFailure.parse(error))) return error;
  logError("object not reached", {}, error);
  return unavailable("The service cannot be reached at this moment. Try again shortly.");
}
