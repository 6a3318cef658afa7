import * as z from "zod";
import type { Settings } from "../../env.ts";
import { jsonOrNull } from "../../lib/json-values.ts";
import { REDACTED } from "../../lib/redaction.ts";
import type { OutboundResponse } from "../../ports/fetch.ts";
import type { SearchClient, SearchOutcome } from "../../ports/search.ts";
import { brave, type SearchProvider, searxng, tavily } from "./providers.ts";

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
    const reason = `The search provider refused the request with ${status}. ${provider.hints[status] ?? ""}`;
    return failed("search_refused", reason.trim());
  }
  const found = answer.safeParse(jsonOf(bytes, provider.secrets));
  if (found.success) return { kind: "found", results: found.data };
  const reason = "The search provider's answer is not in the documented form.";
  return failed("search_unavailable", reason);
}

/** A result; each provider has names of its own for the passage and the date. */
const result = z
  .object({
    url: z.string(),
    title: z.string(),
    content: z.string().nullish(),
    description: z.string().nullish(),
    published_date: z.string().nullish(),
    publishedDate: z.string().nullish(),
    page_age: z.string().nullish(),
  })
  .transform(({ url, title, content, description, ...dates }) => {
    const published = dates.published_date ?? dates.publishedDate ?? dates.page_age;
    return { title, url, snippet: content ?? description ?? "", ...(published && { published }) };
  });
const results = z.array(result);

/** Brave leaves `web` out if nothing was found. */
const answer = z.union([
  z.object({ results }).transform((found) => found.results),
  z
    .object({ type: z.literal("search"), web: z.object({ results }).nullish() })
    .transform(({ web }) => web?.results ?? []),
]);

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
  return jsonOrNull(text);
}
