/**
 * The innermost reason of an error, for the operators' log: what wraps it may quote a query with all
 * its parameters, which are the clients' data.
 */
export function innermost(error: unknown): string {
  let reason = error;
  for (let depth = 0; depth < 10; depth += 1) {
    if (!(reason instanceof Error) || reason.cause === undefined) break;
    reason = reason.cause;
  }
  return String(reason);
}
