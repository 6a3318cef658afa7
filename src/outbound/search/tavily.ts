import * as z from "zod";
import { datedResult, type SearchProvider } from "./provider.ts";

const response = z.object({
  results: z.array(
    z.object({
      url: z.string(),
      title: z.string(),
      content: z.string(),
      published_date: z.string().nullish(),
    }),
  ),
});

/** Creates the provider of Tavily's search (docs.tavily.com/documentation/api-reference/endpoint/search). */
export function tavily({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): SearchProvider {
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
    read: (json) =>
      response
        .safeParse(json)
        .data?.results.map(({ url, title, content, published_date }) =>
          datedResult({ title, url, snippet: content }, published_date),
        ) ?? null,
    hint(status) {
      if (status === 401 || status === 403) return "The operator must check TAVILY_API_KEY.";
      return status === 432 || status === 433 ? "The limit of the operator's plan is reached." : "";
    },
  };
}
