import { failedAnswer, type ToolAnswer } from "../../contract/tools/call.ts";
import {
  type SearchContent,
  type SearchResult,
  type SearchWebInput,
  searchWebInput,
} from "../../contract/tools/web.ts";
import type { SearchClient, SearchOutcome } from "../../ports/tools.ts";
import { parseTree, textOf } from "./page/tree.ts";
import { cutAt, oneLine, visible } from "./text.ts";
import { requestError, type Tool, type ToolContext, type ToolResult } from "./tool.ts";

/** Searches the web with the provider of this deployment; without one, executions do not have it. */
export const searchWeb: Tool<SearchWebInput> = {
  name: "search_web",
  description:
    "Searches the web and returns the title, address and a short passage of each result, the best first. " +
    "A passage can be old or incomplete: open the page with browse before you rely on it.",
  input: searchWebInput,
  kind: "read",
  describe: ({ query }) => `Searching the web for ${query}`,
  run,
};

async function run({ query, count }: SearchWebInput, context: ToolContext): Promise<ToolResult> {
  const { ports, fetch, signal } = context;
  const { search } = ports;
  const free = (answer: ToolAnswer) => ({ answer, price: 0 });
  if (search === null)
    return free(failedAnswer("not_configured", "No search provider is configured."));
  let outcome: SearchOutcome;
  try {
    outcome = await search.search({ query, count, fetch, signal });
  } catch (error) {
    return free(requestError(error));
  }
  if (outcome.kind === "failed") return free(failedAnswer(outcome.code, outcome.reason));
  const { provider, form } = search;
  const results = distinct(outcome.results.map((result) => shown(result, form))).slice(0, count);
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
