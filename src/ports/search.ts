import type { SearchContent, SearchResult } from "../contract/tools/search-web.ts";
import type { GuardedFetch } from "./fetch.ts";

/** A search, and the way to the provider. */
interface SearchRequest {
  query: string;
  /** The most results. */
  count: number;
  fetch: GuardedFetch;
  signal: AbortSignal;
}

/** The result of a search, as the provider wrote it. A reason is a sentence for the user, without secrets. */
export type SearchOutcome =
  | { kind: "found"; results: SearchResult[] }
  | {
      kind: "failed";
      code: "search_refused" | "rate_limited" | "search_unavailable";
      reason: string;
    };

/** The search provider of this deployment. */
export interface SearchClient {
  readonly provider: SearchContent["provider"];
  /** The form of titles and snippets. */
  readonly form: "text" | "html";
  /** Returns within half a minute. Throws an `OutboundError`, or the signal's reason when it aborts. */
  search(request: SearchRequest): Promise<SearchOutcome>;
}
