import type { IncomingMessage, ServerResponse } from "node:http";
import * as z from "zod";
import { readText, startServer } from "./server.ts";

/** A page of the web that the server searches. */
export interface WebPage {
  title: string;
  url: string;
  text: string;
  published?: string;
}

/** Answers instead of the results: with a status, headers and a body, or never. */
type Answer = { status: number; headers?: Record<string, string>; body?: unknown } | "hang";

const KEY = "tvly-key-of-tests";

/** https://docs.searxng.org/dev/search_api.html; instances refuse a format that is not set with 403. */
const searxngQuery = z.object({ q: z.string().min(1), format: z.literal("json") });
/** https://api-dashboard.search.brave.com/api-reference/web/search/get */
const braveQuery = z.object({
  q: z
    .string()
    .min(1)
    .max(400)
    .refine((query) => query.split(/\s+/).length <= 50),
  count: z.coerce.number().int().min(1).max(20).default(20),
  text_decorations: z.enum(["true", "false"]).default("true"),
  result_filter: z.string().optional(),
});
/** https://docs.tavily.com/documentation/api-reference/endpoint/search */
const tavilyBody = z.object({
  query: z.string().min(1).max(400),
  max_results: z.int().min(0).max(20).default(5),
  search_depth: z.enum(["basic", "advanced"]).default("basic"),
});

/**
 * Starts SearXNG, Brave and Tavily on loopback, which find these pages, in their order, for every query. Each
 * speaks as its documentation says.
 */
export async function startSearchServer(pages: readonly WebPage[]) {
  let instead: Answer | null = null;
  /** The queries that were answered, in order. */
  const queries: string[] = [];

  function searxng(url: URL, { headers }: IncomingMessage): Answer {
    const expected = `Basic ${Buffer.from(`prompthook:${KEY}`).toString("base64")}`;
    if (headers.authorization !== expected) return { status: 401 };
    const query = searxngQuery.safeParse(Object.fromEntries(url.searchParams));
    if (!query.success) return { status: 403 };
    queries.push(query.data.q);
    const results = pages.map(({ title, url, text, published }) => ({
      url,
      title,
      content: text,
      publishedDate: published ?? null,
      engine: "duckduckgo",
      engines: ["duckduckgo"],
      positions: [1],
      category: "general",
      score: 1,
    }));
    const body = { query: query.data.q, number_of_results: 0, results, answers: [] };
    return { status: 200, body };
  }

  function brave(url: URL, { headers }: IncomingMessage): Answer {
    if (headers["x-subscription-token"] !== KEY) return braveError("SUBSCRIPTION_TOKEN_INVALID");
    const query = braveQuery.safeParse(Object.fromEntries(url.searchParams));
    if (!query.success) return braveError("VALIDATION");
    queries.push(query.data.q);
    const results = pages.slice(0, query.data.count).map(({ title, url, text, published }) => ({
      type: "search_result",
      title: escaped(title),
      url,
      description:
        query.data.text_decorations === "true"
          ? `<strong>${escaped(text)}</strong>`
          : escaped(text),
      ...(published !== undefined && { page_age: published }),
      family_friendly: true,
    }));
    const body = {
      type: "search",
      query: { original: query.data.q },
      ...(results.length > 0 && { web: { type: "search", results } }),
    };
    return { status: 200, body };
  }

  function tavily({ headers }: IncomingMessage, text: string): Answer {
    if (headers.authorization !== `Bearer ${KEY}`) {
      const error = "Unauthorized: missing or invalid API key.";
      return { status: 401, body: { detail: { error } } };
    }
    const request = tavilyBody.safeParse(JSON.parse(text));
    if (!request.success) return { status: 400, body: { detail: { error: "Invalid request." } } };
    queries.push(request.data.query);
    const results = pages
      .slice(0, request.data.max_results)
      .map(({ title, url, text: content }) => ({ title, url, content, score: 0.9 }));
    const { query } = request.data;
    return { status: 200, body: { query, answer: null, images: [], results, response_time: 0.5 } };
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await readText(request);
    const url = new URL(request.url ?? "/", server.origin);
    send(response, instead ?? route(request, url, text));
  }

  function route(request: IncomingMessage, url: URL, text: string): Answer {
    switch (`${request.method} ${url.pathname}`) {
      case "GET /searxng/search":
        return searxng(url, request);
      case "GET /res/v1/web/search":
        return brave(url, request);
      case "POST /search":
        return tavily(request, text);
      default:
        return { status: 404 };
    }
  }

  const server = await startServer((request, response) => void handle(request, response));
  return {
    /** The addresses of the three protocols. */
    searxng: `http://prompthook:${KEY}@${server.host}/searxng/`,
    brave: `${server.origin}/res/v1`,
    tavily: server.origin,
    /** The key that Brave and Tavily accept, and the password of the SearXNG instance. */
    key: KEY,
    queries,
    /** Answers every request in another way from now on; null ends it. */
    answerWith: (answer: Answer | null) => {
      instead = answer;
    },
    close: server.close,
  };
}

function braveError(code: string): Answer {
  const error = { id: crypto.randomUUID(), status: 422, code, detail: `It is ${code}.` };
  return { status: 422, body: { type: "ErrorResponse", error, time: 1_663_072_993 } };
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll("'", "&#x27;");
}

function send(response: ServerResponse, answer: Answer): void {
  if (answer === "hang") return;
  const { status, headers, body } = answer;
  response
    .writeHead(status, { "content-type": "application/json", ...headers })
    .end(body === undefined ? "" : JSON.stringify(body));
}
