import type { PageContent } from "../../../contract/tools/browse.ts";
import type { OutboundResponse } from "../../ports/fetch.ts";
import { decodeText } from "../decode.ts";
import { failed, failedRequest } from "../failure.ts";
import { isHtml, isText, mediaTypeOf } from "../media.ts";
import { fitText } from "../page/limits.ts";
import { readPage } from "../page/read-page.ts";
import type { ToolContext, ToolResult } from "../tool.ts";
import { needsScripts } from "./needs-scripts.ts";

/** Pages are read up to this size; most of a long one is markup. */
const MAX_HTML_BYTES = 2 * 1024 * 1024;
const MAX_TEXT_BYTES = 500 * 1024;
const TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 10;

const ACCEPT = "text/html,application/xhtml+xml,application/json;q=0.9,text/*;q=0.8,*/*;q=0.5";

/** A page as it came over the network. */
export interface PlainPage {
  result: ToolResult;
  /** Whether it is likely empty for the want of JavaScript. */
  needsScripts: boolean;
}

/** Fetches a page and reads it without running anything. */
export async function openPlain(url: string, context: ToolContext): Promise<PlainPage> {
  let response: OutboundResponse;
  try {
    response = await context.fetch({
      method: "GET",
      url,
      headers: { accept: ACCEPT, "accept-language": "en, *;q=0.5" },
      maxBytes: MAX_HTML_BYTES,
      timeoutMs: TIMEOUT_MS,
      maxRedirects: MAX_REDIRECTS,
      signal: context.signal,
    });
  } catch (error) {
    return asItIs({ answer: failedRequest(error), url });
  }
  return read(response);
}

function read(response: OutboundResponse): PlainPage {
  const { url, status, headers } = response;
  if (status < 200 || status > 299) {
    const answer = failed("http_error", `${url} answered with status ${status}.`);
    return asItIs({ answer, url });
  }
  const mediaType = mediaTypeOf(headers) || "text/html";
  if (isHtml(mediaType)) return readHtml(response, mediaType);
  if (isText(mediaType)) {
    return asItIs({ answer: { ok: true, content: readText(response, mediaType) }, url });
  }
  const message = `${url} is ${mediaType}, which cannot be read as text.`;
  return asItIs({ answer: failed("unsupported_media_type", message), url });
}

function asItIs(result: ToolResult): PlainPage {
  return { result, needsScripts: false };
}

function readHtml({ url, headers, bytes, cut }: OutboundResponse, mediaType: string): PlainPage {
  const html = decodeText(bytes, headers.get("content-type"));
  const page = readPage(html, url);
  const content = { ...page, mediaType, cut: page.cut || cut };
  return { result: { answer: { ok: true, content }, url }, needsScripts: needsScripts(html, page) };
}

function readText(response: OutboundResponse, mediaType: string): PageContent {
  const { url, headers, bytes, cut } = response;
  const text = fitText(decodeText(bytes, headers.get("content-type")), MAX_TEXT_BYTES);
  return {
    url,
    mediaType,
    title: "",
    text: text.kept,
    headings: [],
    links: [],
    tables: [],
    cut: cut || text.cut,
  };
}
