import * as z from "zod";
import { toBase64 } from "../../lib/encoding.ts";
import { datedResult, type SearchProvider } from "./provider.ts";

const response = z.object({
  results: z.array(
    z.object({
      url: z.string(),
      title: z.string(),
      content: z.string().nullish(),
      publishedDate: z.string().nullish(),
    }),
  ),
});

/**
 * Creates the provider of a SearXNG instance (docs.searxng.org/dev/search_api.html). An instance behind a
 * proxy with basic authentication has the user and password in its address.
 */
export function searxng(address: string): SearchProvider {
  const { authorization, secrets, base } = credentialOf(address);
  return {
    provider: "searxng",
    form: "text",
    secrets,
    request: (query) => ({
      method: "GET",
      url: `${base}/search?${new URLSearchParams({ q: query, format: "json" })}`,
      headers: { accept: "application/json", ...(authorization && { authorization }) },
    }),
    read: (json) =>
      response
        .safeParse(json)
        .data?.results.map(({ url, title, content, publishedDate }) =>
          datedResult({ title, url, snippet: content ?? "" }, publishedDate),
        ) ?? null,
    hint(status) {
      if (status === 401) return "The operator must check the user and password in SEARXNG_URL.";
      // By default an instance allows html only.
      return status === 403
        ? "The operator must add json to search.formats in the instance's settings."
        : "";
    },
  };
}

function credentialOf(address: string) {
  const url = new URL(address);
  const [user, password] = [url.username, url.password].map(decodeURIComponent);
  url.username = "";
  url.password = "";
  const base = `${url.origin}${url.pathname}`.replace(/\/+$/, "");
  if (!user && !password) return { authorization: undefined, secrets: [], base };
  const encoded = toBase64(new TextEncoder().encode(`${user}:${password}`));
  const secrets = [encoded, ...(password ? [password] : [])];
  return { authorization: `Basic ${encoded}`, secrets, base };
}
