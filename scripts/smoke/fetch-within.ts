/** Longer than the service lets a long poll wait. */
const DEADLINE_MS = 45_000;

/**
 * `fetch` that gives up on a service which does not answer, and takes no token to another address: only
 * what carries none may follow a redirect.
 */
export function fetchWithin(
  request: Request,
  redirect: "manual" | "follow" = "manual",
): Promise<Response> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(DEADLINE_MS)]);
  return fetch(request, { signal, redirect });
}
