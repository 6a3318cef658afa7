import * as z from "zod";
import { listOf, oneOf, open, whole } from "../fields.ts";

export const searchWebInput = open({
  // Brave and Tavily refuse longer queries.
  query: z.string().trim().min(1).max(400).describe("The words to search for."),
  count: whole(1, 20).default(10).describe("The most results to return."),
});
export type SearchWebInput = z.infer<typeof searchWebInput>;

/** One page that a search found. */
const searchResult = z.strictObject({
  title: z.string(),
  url: z.string(),
  snippet: z.string().describe("A passage of the page, or its description."),
  published: z.string().exactOptional().describe("The page's date, as the provider writes it."),
});
export type SearchResult = z.infer<typeof searchResult>;

/** The answer of `search_web`, the best result first. Strict, so that no other answer matches. */
export const searchContent = z.strictObject({
  provider: oneOf("searxng", "brave", "tavily"),
  query: z.string(),
  results: listOf(searchResult),
});
export type SearchContent = z.infer<typeof searchContent>;
