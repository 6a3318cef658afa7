import type { SearchResult } from "../../contract/tools/search-web.ts";
import type { OutboundRequest } from "../../ports/fetch.ts";
import type { SearchClient } from "../../ports/search.ts";

/** The protocol of one search provider. */
export interface SearchProvider extends Pick<SearchClient, "provider" | "form"> {
  /** The texts of a credential that must not appear in an answer. */
  readonly secrets: readonly string[];
  request(
    query: string,
    count: number,
  ): Pick<OutboundRequest, "method" | "url" | "headers" | "body">;
  /** Returns the results of a response's JSON in their order, or null if it is no such response. */
  read(json: unknown): SearchResult[] | null;
  /** Returns what the operator has to check after this status, as a sentence, or an empty text. */
  hint(status: number): string;
}

/** Returns a result with the date that a provider gave for it, if any. */
export function datedResult(
  result: Omit<SearchResult, "published">,
  published: string | null | undefined,
): SearchResult {
  return published ? { ...result, published } : result;
}
