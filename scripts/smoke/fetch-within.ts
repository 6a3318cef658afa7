/** Longer than the service lets a long poll wait. */
const DEADLINE_MS = 45_000;

/** `fetch` that gives up on a service which does not answer, and takes no token to another address. */
export function fetchWithin(request: Request): Promise<Response> {
  const signal = AbortSignal.any([request.signal, AbortSignal.timeout(DEADLINE_MS)]);
  return fetch(request, { signal, redirect: "manual" });
}
