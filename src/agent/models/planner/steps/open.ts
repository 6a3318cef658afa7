import type { Json } from "../../../../contract/json.ts";
import {
  type HttpRequestInput,
  httpRequestInput,
} from "../../../../contract/tools/http-request.ts";
import type { Desk } from "../desk.ts";
import type { Ask, Hop } from "../plan/types.ts";
import { loadBlock, loadPage, type Page } from "../view/pages.ts";
import { targetsOf } from "./follow.ts";

/** Pages that one run opens at most. */
export const MAX_PAGES = 20;

/** The pages of an ask as far as they were opened. */
export interface Opened {
  pages: Page[];
  /** Sentences about what could not be opened or followed. */
  failures: string[];
  /** True when more pages were asked for than a run opens. */
  limited: boolean;
  /** True while calls are under way. */
  waiting: boolean;
}

/** The addresses that this run has opened, for the limit. */
export type Visited = Set<string>;

function isApi(url: string, ask: Ask): boolean {
  const { pathname } = new URL(url);
  return (
    /\.json$/i.test(pathname) ||
    /\/api(?:\/|$)/i.test(pathname) ||
    /\b(?:json|api|endpoint)\b/.test(ask.text)
  );
}

function callFor(
  url: string,
  ask: Ask,
  desk: Desk,
): { tool: "browse" | "http_request"; input: Json } {
  const api =
    isApi(url, ask) || ask.wants.some((want) => want.kind === "status" || want.kind === "response");
  const preferred = api ? "http_request" : "browse";
  const other = api ? "browse" : "http_request";
  const tool = desk.has(preferred) || !desk.has(other) ? preferred : other;
  return { tool, input: tool === "browse" ? { url } : { method: "GET", url } };
}

function requestInput(request: HttpRequestInput): Json {
  const { method, url, headers, body } = httpRequestInput.parse(request);
  return { method, url, ...(headers && { headers }), ...(body === undefined ? {} : { body }) };
}

function openOne(
  call: { tool: "browse" | "http_request"; input: Json },
  url: string,
  desk: Desk,
  opened: Opened,
): Page | null {
  const done = desk.get(call.tool, call.input);
  if (done === null) {
    opened.waiting = true;
    return null;
  }
  const loaded = loadPage(done.callId, done.answer);
  if (!loaded.ok) {
    opened.failures.push(`${url} could not be read: ${loaded.message}`);
    return null;
  }
  return loaded.page;
}

function openAll(urls: string[], ask: Ask, desk: Desk, visited: Visited, opened: Opened): Page[] {
  const pages: Page[] = [];
  for (const url of urls) {
    if (!visited.has(url) && visited.size >= MAX_PAGES) {
      opened.limited = true;
      continue;
    }
    visited.add(url);
    const page = openOne(callFor(url, ask, desk), url, desk, opened);
    if (page !== null) pages.push(page);
  }
  return pages;
}

/** Opens further pages of lists until there are none, or as many as were asked for. */
function walkPages(
  hop: Extract<Hop, { kind: "pages" }>,
  first: Page[],
  ask: Ask,
  desk: Desk,
  visited: Visited,
  opened: Opened,
): Page[] {
  const pages = [...first];
  const seen = new Set(first.map((page) => page.url));
  const most = hop.limit ?? MAX_PAGES;
  for (let at = 0; at < pages.length && pages.length < most; at++) {
    const page = pages[at];
    if (page === undefined) break;
    const urls = targetsOf(hop, page)
      .urls.filter((url) => !seen.has(url))
      .slice(0, most - pages.length);
    for (const url of urls) seen.add(url);
    pages.push(...openAll(urls, ask, desk, visited, opened));
  }
  return pages;
}

function follow(
  hop: Hop,
  pages: Page[],
  ask: Ask,
  desk: Desk,
  visited: Visited,
  opened: Opened,
): Page[] {
  if (hop.kind === "pages") return walkPages(hop, pages, ask, desk, visited, opened);
  const urls: string[] = [];
  for (const page of pages) {
    const found = targetsOf(hop, page);
    if (found.failure !== null) opened.failures.push(found.failure);
    urls.push(...found.urls.filter((url) => !urls.includes(url)));
  }
  return openAll(urls, ask, desk, visited, opened);
}

/** Opens what an ask works on: its data, its addresses, and the pages that its hops lead to. */
export function openPages(ask: Ask, desk: Desk, visited: Visited): Opened {
  const opened: Opened = { pages: [], failures: [], limited: false, waiting: false };
  for (const block of ask.blocks) {
    const page = loadBlock(block);
    if (page === null) opened.failures.push("The data given could not be read.");
    else opened.pages.push(page);
  }
  if (ask.request !== null) {
    const call = { tool: "http_request", input: requestInput(ask.request) } as const;
    const page = openOne(call, ask.request.url, desk, opened);
    if (page !== null) opened.pages.push(page);
    const rest = ask.addresses.filter((url) => url !== ask.request?.url);
    opened.pages.push(...openAll(rest, ask, desk, visited, opened));
  } else opened.pages.push(...openAll(ask.addresses, ask, desk, visited, opened));
  for (const hop of ask.hops) {
    if (opened.waiting) return opened;
    opened.pages = follow(hop, opened.pages, ask, desk, visited, opened);
  }
  return opened;
}
