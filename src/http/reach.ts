import * as z from "zod";
import { HttpProblem, unavailable } from "./problem.ts";

/** What the platform says of a call to an object that failed. */
const objectFailure = z
  .object({
    /** Thrown by the object's own code, as against by the way to it. */
    remote: z.boolean().optional(),
    /** The same call may succeed at once. */
    retryable: z.boolean().optional(),
    /** The object has more to do than it can; calling again makes it worse. */
    overloaded: z.boolean().optional(),
    durableObjectReset: z.boolean().optional(),
  })
  .catch({});

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
    const { retryable, overloaded } = objectFailure.parse(error);
    if (!again || !retryable || overloaded) throw asProblem(error);
  }
  try {
    return await call();
  } catch (error) {
    throw asProblem(error);
  }
}

/** A fault in the object's own code stays what it is: ours, and not better by waiting. */
function asProblem(error: unknown): unknown {
  if (error instanceof HttpProblem) return error;
  const { remote, retryable, overloaded, durableObjectReset } = objectFailure.parse(error);
  if (remote && !retryable && !overloaded && !durableObjectReset) return error;
  console.error(JSON.stringify({ event: "unreachable", message: String(error) }));
  return unavailable("The service cannot be reached at this moment. Try again shortly.");
}
