import * as z from "zod";
import type { SearchClient, SearchReply } from "../agent/tools/search-web.ts";
import type { Settings } from "../env.ts";
import { toBase64 } from "../lib/encoding.ts";
import { jsonOrNull } from "../lib/json-values.ts";
import { REDACTED } from "../lib/redaction.ts";
import type { OutboundRequest, OutboundResponse } from "../ports/fetch.ts";

const TIMEOUT_MS = 30_000;
const MAX_BYTES = 2 * 1024 * 1024;

/** Creates the client of the configured search provider, or returns null without one. */
export function createSearchClient(settings: Settings): SearchClient | null {
  const provider = providerOf(settings);
  if (provider === null) return null;
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
      return replyOf(response, provider);
    },
  };
}

/** Returns the configured provider; the first one counts. */
function providerOf(settings: Settings): SearchProvider | null {
  const { SEARXNG_URL, BRAVE_API_KEY, BRAVE_BASE_URL, TAVILY_API_KEY, TAVILY_BASE_URL } = settings;
  if (SEARXNG_URL !== undefined) return searxng(SEARXNG_URL);
  if (BRAVE_API_KEY !== undefined) return brave(BRAVE_BASE_URL, BRAVE_API_KEY);
  return TAVILY_API_KEY === undefined ? null : tavily(TAVILY_BASE_URL, TAVILY_API_KEY);
}

function replyOf(
  { status, headers, bytes }: OutboundResponse,
  provider: SearchProvider,
): SearchReply {
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
  code: Extract<SearchReply, { kind: "failed" }>["code"],
  reason: string,
): SearchReply {
  return { kind: "failed", code, reason };
}

/** Parses a body after its copies of a secret were replaced; null if it is no JSON. */
function jsonOf(bytes: Uint8Array, secrets: readonly string[]): unknown {
  let text = new TextDecoder().decode(bytes);
  for (const secret of secrets) text = text.replaceAll(secret, REDACTED);
  return jsonOrNull(text);
}

/** How one search provider is asked. */
interface SearchProvider extends Pick<SearchClient, "provider" | "form"> {
  /** The texts of a credential that must not appear in an answer. */
  readonly secrets: readonly string[];
  request(
    query: string,
    count: number,
  ): Pick<OutboundRequest, "method" | "url" | "headers" | "body">;
  /** What the operator has to check after a status, as a sentence. */
  readonly hints: Readonly<Record<number, string>>;
}

/**
 * Creates the provider of Brave's web search
 * (api-dashboard.search.brave.com/api-reference/web/search/get).
 */
function brave(baseUrl: string, apiKey: string): SearchProvider {
  const hint = "The operator must check BRAVE_API_KEY.";
  return {
    provider: "brave",
    form: "html",
    secrets: [apiKey],
    request(query, count) {
      const parameters = {
        // The API refuses a query of more than 50 words.
        q: query.split(/\s+/).slice(0, 50).join(" "),
        count: String(count),
        result_filter: "web",
        text_decorations: "false",
      };
      return {
        method: "GET",
        url: `${baseUrl}/web/search?${new URLSearchParams(parameters)}`,
        headers: { accept: "application/json", "x-subscription-token": apiKey },
      };
    },
    // An invalid key is a 422.
    hints: { 401: hint, 403: hint, 422: hint },
  };
}

/** Creates the provider of Tavily's search (docs.tavily.com/documentation/api-reference/endpoint/search). */
function tavily(baseUrl: string, apiKey: string): SearchProvider {
  const hint = "The operator must check TAVILY_API_KEY.";
  const limit = "The limit of the operator's plan is reached.";
  return {
    provider: "tavily",
    form: "text",
    secrets: [apiKey],
    request: (query, count) => ({
      method: "POST",
      url: `${baseUrl}/search`,
      headers: {
        accept: "application/json",
        authorization: `Bearer ${apiKey}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ query, max_results: count, search_depth: "basic" }),
    }),
    hints: { 401: hint, 403: hint, 432: limit, 433: limit },
  };
}

/**
 * Creates the provider of a SearXNG instance (docs.searxng.org/dev/search_api.html). An instance behind a
 * proxy with basic authentication has the user and password in its address.
 */
function searxng(address: string): SearchProvider {
  const { origin, pathname, username, password } = new URL(address);
  const base = `${origin}${pathname}`.replace(/\/+$/, "");
  const [user, secret] = [username, password].map(decodeURIComponent);
  const encoded = toBase64(new TextEncoder().encode(`${user}:${secret}`));
  const isOpen = !user && !secret;
  return {
    provider: "searxng",
    form: "text",
    secrets: isOpen ? [] : [encoded, ...(secret ? [secret] : [])],
    request: (query) => ({
      method: "GET",
      url: `${base}/search?${new URLSearchParams({ q: query, format: "json" })}`,
      headers: {
        accept: "application/json",
        ...(!isOpen && { authorization: `Basic ${encoded}` }),
      },
    }),
    hints: {
      401: "The operator must check the user and password in SEARXNG_URL.",
      // By default an instance allows html only.
      403: "The operator must add json to search.formats in the instance's settings.",
    },
  };
}
