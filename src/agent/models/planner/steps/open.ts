import type { Json } from "../../../../contract/json.ts";
import {
  type HttpRequestInput,
  httpRequestInput,
} from "../../../../contract/tools/http-request.ts";
import { canonical, type Desk } from "../desk.ts";
import { says } from "../plan/clause.ts";
import type { Rendering } from "../plan/rendering.ts";
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
  /** The pages of which a screenshot was taken. */
  shots: Page[];
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

interface Call {
  tool: "browse" | "http_request";
  input: Json;
}

function callFor(url: string, ask: Ask, desk: Desk): Call {
  const api =
    isApi(url, ask) || ask.wants.some((want) => want.kind === "status" || want.kind === "response");
  const preferred = api ? "http_request" : "browse";
  const other = api ? "browse" : "http_request";
  const tool = desk.has(preferred) || !desk.has(other) ? preferred : other;
  return { tool, input: tool === "browse" ? { url } : { method: "GET", url } };
}

/** The call that opens a page in a real browser. */
function renderedCall(url: string, { always, screenshot }: Rendering): Call {
  const shot = {
    do: "screenshot",
    label: `Screenshot of ${url}`.slice(0, 200),
    ...(screenshot === "page" ? { fullPage: true } : {}),
  };
  const input: Json = {
    url,
    ...(always ? { render: "always" } : {}),
    ...(screenshot === "none" ? {} : { actions: [shot] }),
  };
  return { tool: "browse", input };
}

function requestInput(request: HttpRequestInput): Json {
  const { method, url, headers, body } = httpRequestInput.parse(request);
  return { method, url, ...(headers && { headers }), ...(body === undefined ? {} : { body }) };
}

/** Whether a request may change something: then it is made once, whatever came of it. */
function changes({ method }: HttpRequestInput): boolean {
  return method !== undefined && method !== "GET" && method !== "HEAD";
}

function openOne(call: Call, url: string, desk: Desk, opened: Opened, once = false): Page | null {
  const same = (made: Json): boolean => canonical(made) === canonical(call.input);
  const may = once && desk.has(call.tool);
  const done = may ? desk.once(call.tool, call.input, 0, same) : desk.get(call.tool, call.input);
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

/** Opens a page as asked; without a browser it is read plainly, where it is to be read at all. */
function openBest(
  url: string,
  ask: Ask,
  desk: Desk,
  opened: Opened,
  rendering: Rendering | null,
): Page | null {
  const plain = callFor(url, ask, desk);
  if (rendering === null) return openOne(plain, url, desk, opened);
  const call = renderedCall(url, rendering);
  const done = desk.get(call.tool, call.input);
  const none = done?.answer.ok === false && done.answer.error.code === "no_browser";
  const read = rendering.always || ask.wants.length > 0 || says(ask.text);
  if (!none || !read) return openOne(call, url, desk, opened);
  return openOne(plain, url, desk, opened);
}

function openAll(
  urls: string[],
  ask: Ask,
  desk: Desk,
  visited: Visited,
  opened: Opened,
  rendering: Rendering | null,
): Page[] {
  const pages: Page[] = [];
  for (const url of urls) {
    if (!visited.has(url) && visited.size >= MAX_PAGES) {
      opened.limited = true;
      continue;
    }
    visited.add(url);
    const page = openBest(url, ask, desk, opened, rendering);
    if (page === null) continue;
    opened.failures.push(...saidOf(page, rendering));
    if (rendering !== null && rendering.screenshot !== "none" && page.rendered)
      opened.shots.push(page);
    pages.push(page);
  }
  return pages;
}

/** What the browse call itself says of a page, and whether the browser that was asked for was there. */
function saidOf({ url, notes, rendered }: Page, rendering: Rendering | null): string[] {
  const said = notes.map((note) => `${url}: ${note}`);
  if (rendering === null || rendered) return said;
  const shot = rendering.screenshot === "none" ? "" : " and no screenshot was taken";
  return [...said, `${url} was not opened in a real browser${shot}: there is none here.`];
}

/** Opens further pages of lists until there are none, or as many as were asked for. */
function walkPages(
  hop: Extract<Hop, { kind: "pages" }>,
  first: Page[],
  ask: Ask,
  desk: Desk,
  visited: Visited,
  opened: Opened,
  rendering: Rendering | null,
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
    pages.push(...openAll(urls, ask, desk, visited, opened, rendering));
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
  rendering: Rendering | null,
): Page[] {
  if (hop.kind === "pages") return walkPages(hop, pages, ask, desk, visited, opened, rendering);
  const urls: string[] = [];
  const clicked: Page[] = [];
  for (const page of pages) {
    const found = targetsOf(hop, page);
    if (found.failure !== null && hop.kind === "link" && hop.click === true) {
      const after = clickOn(hop.text, page, found.failure, desk, opened);
      if (after !== null) clicked.push(after);
      continue;
    }
    if (found.failure !== null) opened.failures.push(found.failure);
    urls.push(...found.urls.filter((url) => !urls.includes(url)));
  }
  return [...clicked, ...openAll(urls, ask, desk, visited, opened, rendering)];
}

/** Clicks what is no link of a page, in a real browser; null while under way, or where there is none. */
function clickOn(
  target: string,
  { url }: Page,
  failure: string,
  desk: Desk,
  opened: Opened,
): Page | null {
  if (!desk.has("browse") || url === "") {
    opened.failures.push(failure);
    return null;
  }
  const done = desk.get("browse", { url, actions: [{ do: "click", target }] });
  if (done === null) {
    opened.waiting = true;
    return null;
  }
  const loaded = loadPage(done.callId, done.answer);
  if (loaded.ok) return loaded.page;
  const none = !done.answer.ok && done.answer.error.code === "no_browser";
  const why = none
    ? "nothing can be clicked without a real browser, and there is none here."
    : loaded.message;
  opened.failures.push(`${failure} "${target}" could not be clicked: ${why}`);
  return null;
}

/** Opens what an ask works on: its data, its addresses, and the pages that its hops lead to. */
export function openPages(
  ask: Ask,
  desk: Desk,
  visited: Visited,
  rendering: Rendering | null,
): Opened {
  const opened: Opened = { pages: [], failures: [], limited: false, waiting: false, shots: [] };
  for (const block of ask.blocks) {
    const page = loadBlock(block);
    if (page === null) opened.failures.push("The data given could not be read.");
    else opened.pages.push(page);
  }
  if (ask.request !== null) {
    const call = { tool: "http_request", input: requestInput(ask.request) } as const;
    const page = openOne(call, ask.request.url, desk, opened, changes(ask.request));
    if (page !== null) opened.pages.push(page);
    const rest = ask.addresses.filter((url) => url !== ask.request?.url);
    opened.pages.push(...openAll(rest, ask, desk, visited, opened, rendering));
  } else opened.pages.push(...openAll(ask.addresses, ask, desk, visited, opened, rendering));
  for (const hop of ask.hops) {
    if (opened.waiting) return opened;
    opened.pages = follow(hop, opened.pages, ask, desk, visited, opened, rendering);
  }
  return opened;
}
