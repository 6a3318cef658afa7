import { ModelError } from "../../contract/conversation.ts";
import { shellQuoted } from "../../lib/text.ts";
import type { cappedFetch } from "./sdk/http.ts";

/** A request to a provider, as it would be sent. */
export interface WireRequest {
  url: string;
  headers: Headers;
  body: string;
}

/** Returns a fetch that sends nothing, and what it was first asked for. */
export function capturingFetch(): { fetch: typeof cappedFetch; seen(): WireRequest | null } {
  let seen: WireRequest | null = null;
  return {
    seen: () => seen,
    fetch: async (input, init) => {
      const url = input instanceof Request ? input.url : String(input);
      seen ??= { url, headers: new Headers(init?.headers), body: String(init?.body ?? "") };
      throw new ModelError("Nothing is sent here.", { retryable: false });
    },
  };
}

/** Writes a request as a shell command that takes the key from the variable `name`. */
export function curlOf(
  { url, headers, body }: WireRequest,
  apiKey: string | undefined,
  name: string,
): string {
  const hidden = (text: string) => (apiKey ? text.replaceAll(apiKey, `$${name}`) : text);
  const lines = [...headers]
    .filter(([field]) => field !== "user-agent")
    .map(([field, value]) => `-H ${doubleQuoted(`${field}: ${hidden(value)}`)}`);
  const data = `--data-raw ${shellQuoted(body)}`;
  const parts = [doubleQuoted(hidden(url)), "--no-buffer", ...lines, data];
  return `curl ${parts.join(" \\\n  ")}`;
}

/** Within double quotes a shell puts in the value of the variable. */
const doubleQuoted = (text: string) => `"${text.replace(/["\\`]|\$(?![A-Z_]+)/g, "\\$&")}"`;
