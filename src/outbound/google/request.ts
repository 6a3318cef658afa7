import { startDeadline } from "../../lib/async.ts";
import { readCapped } from "../../lib/read-up-to.ts";

/** The result of a request: a response with its JSON, which is null if it has none, or no response. */
export type Reply =
  | { kind: "answered"; status: number; json: unknown }
  | { kind: "lost"; reason: "did not answer in time" | "could not be reached" };

const MAX_BYTES = 64 * 1024;

/**
 * Sends one POST to an address that the operator configured. Follows no redirect: an access token is
 * for that address alone. Throws the signal's reason when that aborts.
 */
export async function post(
  url: string,
  init: { headers: Record<string, string>; body: string },
  { timeoutMs, signal }: { timeoutMs: number; signal: AbortSignal },
): Promise<Reply> {
  const deadline = startDeadline(timeoutMs, signal);
  try {
    const response = await fetch(url, {
      method: "POST",
      redirect: "manual",
      signal: deadline.signal,
      ...init,
    });
    const { bytes } = await readCapped(response.body, MAX_BYTES, deadline.signal);
    return { kind: "answered", status: response.status, json: parsed(bytes) };
  } catch {
    signal.throwIfAborted();
    const reason = deadline.expired ? "did not answer in time" : "could not be reached";
    return { kind: "lost", reason };
  } finally {
    deadline.clear();
  }
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}
