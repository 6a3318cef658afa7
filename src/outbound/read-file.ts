import { type GuardedFetch, OutboundError } from "../ports/fetch.ts";

const MAX_REDIRECTS = 5;

/** A file that was read, or why not. */
type ReadFile =
  | { ok: true; bytes: Uint8Array; cut: boolean }
  | { ok: false; code: string; message: string };

/** Reads at most `maxBytes` of a file at an address within a time in milliseconds. */
export async function readFileAt(
  url: string,
  { fetch, maxBytes, timeoutMs }: { fetch: GuardedFetch; maxBytes: number; timeoutMs: number },
): Promise<ReadFile> {
  const { signal } = new AbortController();
  const request = { method: "GET", url, maxBytes, timeoutMs, maxRedirects: MAX_REDIRECTS, signal };
  try {
    const { status, bytes, cut } = await fetch(request);
    if (status === 200) return { ok: true, bytes, cut };
    return { ok: false, code: "http_error", message: `answered with the status ${status}` };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { ok: false, code: error.code, message: error.message };
  }
}
