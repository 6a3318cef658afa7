import { toBase64 } from "../../lib/encoding.ts";
import type { OutboundRequest } from "../../ports/fetch.ts";
import type { SearchClient } from "../../ports/search.ts";

/** How one search provider is asked. */
export interface SearchProvider extends Pick<SearchClient, "provider" | "form"> {
  /** The texts of a credential that must not appear in an answer. */
  readonly secrets: readonly string[];
  request(
    query: string,
    count: number,
  ): Pick<OutboundRequest, "method" | "url" | "headers" | "body">;
  /** What the operator has to check after a status, as a sentence. */
  readonly hints: Readonly<Record<number, string>>;
}

/** The address of an API, and its key. */
interface KeyedApi {
  baseUrl: string;
  apiKey: string;
}

/**
 * Creates the provider of Brave's web search
 * (api-dashboard.search.brave.com/api-reference/web/search/get).
 */
export function brave({ baseUrl, apiKey }: KeyedApi): SearchProvider {
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
export function tavily({ baseUrl, apiKey }: KeyedApi): SearchProvider {
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
export function searxng(address: string): SearchProvider {
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
