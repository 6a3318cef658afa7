import type { Settings } from "../../env.ts";
import { REDACTED } from "../../lib/redaction.ts";
import type { OutboundResponse } from "../../ports/fetch.ts";
import type { SearchClient, SearchOutcome } from "../../ports/search.ts";
import { brave } from "./brave.ts";
import type { SearchProvider } from "./provider.ts";
import { searxng } from "./searxng.ts";
import { tavily } from "./tavily.ts";

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 2 * 1024 * 1024;

/** Creates the client of the configured search provider, or returns null without one. */
export function createSearchClient(settings: Settings): SearchClient | null {
  const provider = providerOf(settings);
  return provider && searchClient(provider);
}

/** Returns the configured provider; the first one counts. */
function providerOf(settings: Settings): SearchProvider | null {
  const { SEARXNG_URL, BRAVE_API_KEY, BRAVE_BASE_URL, TAVILY_API_KEY, TAVILY_BASE_URL } = settings;
  if (SEARXNG_URL !== undefined) return searxng(SEARXNG_URL);
  if (BRAVE_API_KEY !== undefined) {
    return brave({ baseUrl: withoutSlash(BRAVE_BASE_URL), apiKey: BRAVE_API_KEY });
  }
  if (TAVILY_API_KEY === undefined) return null;
  return tavily({ baseUrl: withoutSlash(TAVILY_BASE_URL), apiKey: TAVILY_API_KEY });
}

function withoutSlash(address: string): string {
  return address.replace(/\/+$/, "");
}

function searchClient(provider: SearchProvider): SearchClient {
  return {
    provider: provider.provider,
    form: provider.form,
    async search({ query, count, fetch, signal }) {
      const response = await fetch({
        ...provider.request(query, count),
        maxBytes: MAX_BYTES,
        timeoutMs: TIMEOUT_MS,
        // A redirect could lead the credential to another host.
        maxRedirects: 0,
        signal,
      });
      return outcomeOf(response, provider);
    },
  };
}

function outcomeOf(
  { status, headers, bytes }: OutboundResponse,
  provider: SearchProvider,
): SearchOutcome {
  if (status === 429) {
    const seconds = Number(headers.get("retry-after") ?? "");
    const wait = seconds > 0 ? ` Try again in ${Math.ceil(seconds)} seconds.` : "";
    return failed("rate_limited", `The search provider's rate limit is reached.${wait}`);
  }
  if (status >= 500) {
    return failed("search_unavailable", `The search provider answered ${status}.`);
  }
  if (status !== 200) {
    const reason = `The search provider refused the request with ${status}. ${provider.hint(status)}`;
    return failed("search_refused", reason.trim());
  }
  const results = provider.read(jsonOf(bytes, provider.secrets));
  if (results === null) {
    const reason = "The search provider's answer is not in the documented form.";
    return failed("search_unavailable", reason);
  }
  return { kind: "found", results };
}

function failed(
  code: Extract<SearchOutcome, { kind: "failed" }>["code"],
  reason: string,
): SearchOutcome {
  return { kind: "failed", code, reason };
}

/** Parses a body after its copies of a secret were replaced; null if it is no JSON. */
function jsonOf(bytes: Uint8Array, secrets: readonly string[]): unknown {
  let text = new TextDecoder().decode(bytes);
  for (const secret of secrets) text = text.replaceAll(secret, REDACTED);
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
