import { failedAnswer } from "../../contract/tools/call.ts";
import {
  type SearchContent,
  type SearchResult,
  type SearchWebInput,
  searchWebInput,
} from "../../contract/tools/web.ts";
import type { GuardedFetch } from "../../ports/fetch.ts";
import { parseTree, textOf } from "./page/tree.ts";
import { cutAt, oneLine, visible } from "./text.ts";
import { requestError, type Tool, type ToolContext, type ToolResult } from "./tool.ts";

/** A search, and the way to the provider. */
interface SearchRequest {
  query: string;
  /** The most results. */
  count: number;
  fetch: GuardedFetch;
  signal: AbortSignal;
}

/** The result of a search, as the provider wrote it. A reason is a sentence for the user, without secrets. */
export type SearchReply =
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
  search(request: SearchRequest): Promise<SearchReply>;
}

/** Searches the web. */
export const searchWeb = (client: SearchClient): Tool<SearchWebInput> => ({
  name: "search_web",
  description:
    "Searches the web and returns the title, address and a short passage of each result, the best first. " +
    "A passage can be old or incomplete: open the page with browse before you rely on it.",
  input: searchWebInput,
  kind: "read",
  describe: ({ query }) => `Searching the web for ${query}`,
  run: (input, context) => search(input, client, context),
});

async function search(
  { query, count }: SearchWebInput,
  client: SearchClient,
  { fetch, signal }: ToolContext,
): Promise<ToolResult> {
  let reply: SearchReply;
  try {
    reply = await client.search({ query, count, fetch, signal });
  } catch (error) {
    return { answer: requestError(error), price: 0 };
  }
  if (reply.kind === "failed") {
    return { answer: failedAnswer(reply.code, reply.reason), price: 0 };
  }
  const { provider, form } = client;
  const results = distinct(reply.results.map((result) => shown(result, form))).slice(0, count);
  const content: SearchContent = { provider, query, results };
  return { answer: { ok: true, content } };
}

const MAX_TITLE = 300;
const MAX_SNIPPET = 1_000;
const MAX_PUBLISHED = 40;
const MAX_URL = 2_048;

/** Returns a result with its texts on one line each, without markup and invisible characters. */
function shown(
  { title, url, snippet, published }: SearchResult,
  form: SearchClient["form"],
): SearchResult {
  const line = (text: string, max: number) =>
    form === "html" ? textOf(parseTree(text).root, { max }) : cutAt(oneLine(visible(text)), max);
  return {
    title: line(title, MAX_TITLE),
    url,
    snippet: line(snippet, MAX_SNIPPET),
    ...(published === undefined ? {} : { published: line(published, MAX_PUBLISHED) }),
  };
}

/** Keeps the results that can be opened, each address once. */
function distinct(results: readonly SearchResult[]): SearchResult[] {
  const byUrl = new Map<string, SearchResult>();
  for (const result of results) {
    const scheme = URL.parse(result.url)?.protocol;
    if (scheme !== "http:" && scheme !== "https:") continue;
    if (result.url.length <= MAX_URL && !byUrl.has(result.url)) byUrl.set(result.url, result);
  }
  return [...byUrl.values()];
}
