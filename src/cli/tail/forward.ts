import type { LogEntry } from "../../contract/webhooks/log.ts";
import { REDACTED } from "../../lib/redaction.ts";
import type { Call } from "../command.ts";
import { UsageError } from "../errors.ts";
import { localTime } from "../text.ts";
import type { LogUpdate } from "./live-log.ts";

/** What belongs to one connection, or is made anew for the copy (RFC 9110, 7.6.1). */
const NOT_COPIED =
  /^(?:connection|keep-alive|transfer-encoding|te|trailer|upgrade|host|content-length|content-encoding|accept-encoding|expect|cf-.*|x-forwarded-.*|x-real-ip)$/;
const TIMEOUT_MS = 30_000;

/** A copy that was sent on, and its answer. */
interface Forwarded {
  requestId: string;
  method: string;
  url: string;
  /** The status of the answer, or null when there was none. */
  status: number | null;
  durationMs: number;
  error: string | null;
}

/** Reads the address to forward to. Throws `UsageError`. */
export function forwardAddress(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url !== null && /^https?:$/.test(url.protocol)) return url;
  throw new UsageError(`--forward must be an http:// or https:// address, not "${text}".`);
}

/**
 * Sends a copy of each request that an endpoint received to `address`, one after the other, and prints
 * the answers. Credentials and signatures are not in the log, so the copies lack them.
 */
export async function forward(
  { output, signal }: Pick<Call, "output" | "signal">,
  news: readonly LogUpdate[],
  address: URL,
  read: (requestId: string) => Promise<LogEntry>,
  now: () => number,
): Promise<void> {
  for (const { kind, entry } of news) {
    if (kind !== "received" || entry.status === "rejected") continue;
    const whole = await read(entry.requestId);
    const sent = await send(whole, address, signal, now);
    if (whole.bodyTruncated) output.note(`${entry.requestId}: only the start of the body is kept.`);
    output.print(sent, ({ requestId, method, url, status, durationMs, error }) => {
      const time = output.style("dim", localTime(entry.receivedAt));
      const isGood = status !== null && status < 400;
      const answer = output.style(isGood ? "green" : "red", status === null ? "---" : `${status}`);
      return `${time}  ${answer}  ${method} ${url}  ${durationMs} ms  ${requestId}  ${error ?? ""}`.trimEnd();
    });
  }
}

async function send(
  { requestId, method, headers, query, body }: LogEntry,
  address: URL,
  signal: AbortSignal,
  now: () => number,
): Promise<Forwarded> {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) url.searchParams.append(name, one);
  }
  const copied = Object.entries(headers).filter(
    ([name, value]) => !NOT_COPIED.test(name.toLowerCase()) && !value.includes(REDACTED),
  );
  const begun = now();
  const done = (status: number | null, error: string | null): Forwarded => {
    return { requestId, method, url: url.href, status, durationMs: now() - begun, error };
  };
  try {
    const response = await fetch(url, {
      method,
      headers: [...copied, ["x-prompthook-request-id", requestId]],
      body: method === "GET" ? null : body,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.body?.cancel();
    return done(response.status, null);
  } catch (error) {
    if (signal.aborted) throw error;
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    return done(null, cause instanceof Error ? cause.message : String(cause));
  }
}
