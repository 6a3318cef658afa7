import type { StoredFile } from "../../contract/files.ts";
import { failedAnswer, type ToolAnswer } from "../../contract/tools/call.ts";
import { RENDERING_PRICE, TOOLS } from "../../contract/tools/names.ts";
import {
  type BrowseInput,
  browseInput,
  type PageContent,
  type PagePart,
  pageContent,
  pagePart,
} from "../../contract/tools/web.ts";
import { redactAddresses } from "../../lib/redaction.ts";
import { binarySize } from "../../lib/text.ts";
import { type GuardedFetch, OutboundError, type OutboundResponse } from "../../ports/fetch.ts";
import { readPage } from "./page/read-page.ts";
import { decodeText, isHtml, isText, mediaTypeOf } from "./response-body.ts";
import { requireCalls } from "./source-content.ts";
import { cutAt, fitText, MAX_SOURCE_BYTES, MAX_STORED_BYTES } from "./text.ts";
import {
  answering,
  fail,
  requestError,
  type Tool,
  type ToolContext,
  type ToolResult,
} from "./tool.ts";

/** A page to open in a real browser. */
export interface RenderRequest {
  url: string;
  /** Fetches everything that the browser requests; it has no other way to the network. */
  fetch: GuardedFetch;
  signal: AbortSignal;
}

/** A page as a visit ended with it. */
export interface RenderedPage {
  /** The final address. */
  url: string;
  /** The final document. */
  html: string;
  /** Where a response that the page is made of was cut, or left out for its size. */
  cutAt?: string;
  notes: string[];
}

/** A real browser. */
export interface Renderer {
  /**
   * Opens a page in a new browser and reads it. Nothing is kept. Throws an `OutboundError`, or the
   * signal's reason when it aborts.
   */
  render(request: RenderRequest): Promise<RenderedPage>;
}

/** Opens a page and reads it; `renderer` is null if no browser is bound. */
export const browse = (renderer: Renderer | null): Tool<BrowseInput> => ({
  name: "browse",
  description:
    "Opens a web page and reads it as Markdown, with its links and tables. " +
    "Also reads JSON, CSV, XML and plain text as they are. Follow links by opening their addresses. " +
    "Of a long page you see a part: read on with the callId of the call that opened it and offset; find words in it with run_code. " +
    'Not for APIs that need a method, headers or a body (http_request). Example: {"url": "https://example.com/prices"}.',
  input: browseInput,
  kind: "read",
  price: ({ url, render }) =>
    renderer !== null && url !== undefined && render !== "never"
      ? RENDERING_PRICE
      : TOOLS.browse.price,
  describe: ({ url, callId }) =>
    url === undefined ? `Reading on in ${callId}` : `Opening ${redactAddresses(url)}`,
  run: answering("unknown_call", async ({ url, callId, offset = 0, render }, context) => {
    if (url !== undefined) return open(url, render, renderer, context);
    return readOn(callId ?? fail("Name a url or a callId."), offset, context);
  }),
});

/** The most characters of a part of a page; no prompt shows more of one answer. */
const MAX_PART = 16_384;

/** Reads on in the page that an earlier call opened. */
function readOn(callId: string, offset: number, context: ToolContext): ToolResult {
  const { callId: page, content } = openedPage(callId, context);
  const { url, title, text } = content;
  const from = Math.min(offset, text.length);
  const excerpt = { offset: from, text: cutAt(text.slice(from), MAX_PART), total: text.length };
  const part: PagePart = { page, url, title, excerpt };
  return { answer: { ok: true, content: part }, url, basedOn: [page] };
}

/** Returns the page that an earlier call opened or read on in, with the call that opened it. */
function openedPage(
  callId: string,
  context: ToolContext,
): { callId: string; content: PageContent } {
  requireCalls([callId], context);
  const answer = context.answer(callId);
  if (!answer?.ok) return fail(`The call ${callId} failed, so it has no page.`);
  const part = pagePart.safeParse(answer.content);
  if (part.success) return openedPage(part.data.page, context);
  const content = pageContent.safeParse(answer.content).data;
  return {
    callId,
    content: content ?? fail(`The call ${callId} opened no page. Name a browse call.`),
  };
}

const NO_BROWSER =
  'No browser is bound to this deployment, so it cannot run JavaScript. Open the page with render "auto", or call the site\'s API with http_request.';

async function open(
  url: string,
  render: BrowseInput["render"],
  renderer: Renderer | null,
  context: ToolContext,
): Promise<ToolResult> {
  if (render === "always") {
    if (renderer === null) return { answer: failedAnswer("no_browser", NO_BROWSER), url };
    return await rendered(renderer, url, context);
  }
  const plain = await fetchPage(url, context);
  const result = { ...plain.result, price: TOOLS.browse.price };
  if (render === "never" || plain.needsScripts !== true) return result;
  if (renderer === null) return withNote(result, "The page seems to need JavaScript to show more.");
  const rendering = await rendered(renderer, url, context);
  if (rendering.answer.ok) return rendering;
  return withNote(
    result,
    `The page seems to need JavaScript to show more, but the browser failed: ${rendering.answer.error.message}`,
  );
}

function withNote(result: ToolResult, note: string): ToolResult {
  if (!result.answer.ok) return result;
  const content = pageContent.parse(result.answer.content);
  const notes = [...(content.notes ?? []), note];
  return { ...result, answer: { ok: true, content: { ...content, notes } } };
}

const TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 10;
const CUT_AT_LIMIT = { cut: true, cutAt: binarySize(MAX_SOURCE_BYTES) };

const ACCEPT = "text/html,application/xhtml+xml,application/json;q=0.9,text/*;q=0.8,*/*;q=0.5";

/** A page as fetched. */
interface FetchedPage {
  result: ToolResult;
  /** Whether it is probably empty without JavaScript. */
  needsScripts?: boolean;
}

/** Fetches a page and reads it without running its JavaScript. */
async function fetchPage(url: string, context: ToolContext): Promise<FetchedPage> {
  let response: OutboundResponse;
  try {
    response = await context.fetch({
      method: "GET",
      url,
      headers: { accept: ACCEPT, "accept-language": "en, *;q=0.5" },
      maxBytes: MAX_SOURCE_BYTES,
      timeoutMs: TIMEOUT_MS,
      maxRedirects: MAX_REDIRECTS,
      signal: context.signal,
    });
  } catch (error) {
    return { result: { answer: requestError(error), url } };
  }
  return read(response);
}

function read(response: OutboundResponse): FetchedPage {
  const { url, status, headers } = response;
  if (status < 200 || status > 299) {
    const answer = failedAnswer("http_error", `${url} returned status ${status}.`);
    return { result: { answer, url } };
  }
  const mediaType = mediaTypeOf(headers) || "text/html";
  if (isHtml(mediaType)) return readHtml(response, mediaType);
  if (isText(mediaType)) {
    return { result: pageResult(readText(response, mediaType)) };
  }
  const message = `${url} has the media type ${mediaType}, which cannot be read as text.`;
  return { result: { answer: failedAnswer("unsupported_media_type", message), url } };
}

/** Returns what can be read of a file, as the answer of a call that opened it as a page. */
export function readFile(
  { name, mediaType }: Pick<StoredFile, "name" | "mediaType">,
  bytes: Uint8Array,
): ToolAnswer {
  const headers = new Headers({ "content-type": mediaType });
  const beginning = bytes.subarray(0, MAX_SOURCE_BYTES);
  const cut = beginning.length < bytes.length;
  return read({ url: name, status: 200, headers, bytes: beginning, cut }).result.answer;
}

function readHtml({ url, headers, bytes, cut }: OutboundResponse, mediaType: string): FetchedPage {
  const html = decodeText(bytes, headers.get("content-type"));
  const { page, needsScripts } = readPage(html, url);
  const content = { ...page, mediaType, ...(cut && CUT_AT_LIMIT) };
  return { result: pageResult(content), needsScripts };
}

/** Returns the result of a call that read a page. */
function pageResult(content: PageContent): ToolResult {
  const { url, cutAt = null } = content;
  return { answer: { ok: true, content }, url, cut: cutAt };
}

function readText(response: OutboundResponse, mediaType: string): PageContent {
  const { url, headers, bytes } = response;
  const text = fitText(decodeText(bytes, headers.get("content-type")), MAX_STORED_BYTES);
  const cut = response.cut || text.cut;
  return {
    url,
    mediaType,
    title: "",
    text: text.kept,
    headings: [],
    links: [],
    tables: [],
    ...(cut ? CUT_AT_LIMIT : { cut }),
  };
}

/** Visits a page in a browser. */
async function rendered(
  renderer: Renderer,
  asked: string,
  context: ToolContext,
): Promise<ToolResult> {
  try {
    const { url, html, cutAt, notes } = await renderer.render({ ...context, url: asked });
    const { page } = readPage(html, url);
    const all = [...(page.notes ?? []), ...notes];
    return pageResult({
      ...page,
      ...(cutAt !== undefined && { cut: true, cutAt }),
      rendered: true,
      ...(all.length > 0 && { notes: all }),
    });
  } catch (error) {
    const isInternal = error instanceof OutboundError && error.code.startsWith("browser_");
    return { answer: requestError(error), url: asked, ...(isInternal && { price: 0 }) };
  }
}
