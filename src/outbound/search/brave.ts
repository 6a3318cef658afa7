import * as z from "zod";
import { datedResult, type SearchProvider } from "./provider.ts";

const response = z.object({
  type: z.literal("search"),
  // Left out if nothing was found.
  web: z
    .object({
      results: z.array(
        z.object({
          url: z.string(),
          title: z.string(),
          description: z.string().nullish(),
          page_age: z.string().nullish(),
        }),
      ),
    })
    .nullish(),
});

/**
 * Creates the provider of Brave's web search
 * (api-dashboard.search.brave.com/api-reference/web/search/get).
 */
export function brave({ baseUrl, apiKey }: { baseUrl: string; apiKey: string }): SearchProvider {
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
    read(json) {
      const parsed = response.safeParse(json);
      if (!parsed.success) return null;
      return (parsed.data.web?.results ?? []).map(({ url, title, description, page_age }) =>
        datedResult({ title, url, snippet: description ?? "" }, page_age),
      );
    },
    // An invalid key is a 422.
    hint: (status) =>
      [401, 403, 422].includes(status) ? "The operator must check BRAVE_API_KEY." : "",
  };
}
