import { type BrowseInput, browseInput, type PageContent } from "../../contract/tools/browse.ts";
import type { OutboundResponse } from "../../outbound/guarded-fetch.ts";
import { decodeText } from "./decode.ts";
import { failed, failedRequest } from "./failure.ts";
import { isHtml, isText, mediaTypeOf } from "./media.ts";
import { fitText } from "./page/limits.ts";
import { readPage } from "./page/read-page.ts";
import type { Tool, ToolContext, ToolResult } from "./tool.ts";

/** Pages are read up to this size; most of a long one is markup. */
const MAX_HTML_BYTES = 2 * 1024 * 1024;
const MAX_TEXT_BYTES = 500 * 1024;
const TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 10;

const ACCEPT = "text/html,application/xhtml+xml,application/json;q=0.9,text/*;q=0.8,*/*;q=0.5";

/** The tool that opens a page and reads it. */
export const browse: Tool<BrowseInput> = {
  name: "browse",
  description:
    "Opens a web page and reads it: its title, its text as Markdown, its headings, links and tables. " +
    "Also reads JSON, CSV, XML and plain text as they are. Follow links by opening their addresses.",
  input: browseInput,
  effect: () => null,
  describe: ({ url }) => `Opening ${url}`,
  run,
};

async function run({ url }: BrowseInput, context: ToolContext): Promise<ToolResult> {
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
    return { answer: failedRequest(error), url };
  }
  return { answer: answerOf(response), url: response.url };
}

function answerOf(response: OutboundResponse): ToolResult["answer"] {
  const { url, status, headers } = response;
  if (status < 200 || status > 299) {
    return failed("http_error", `${url} answered with status ${status}.`);
  }
  const mediaType = mediaTypeOf(headers) || "text/html";
  if (isHtml(mediaType)) return { ok: true, content: { ...readHtml(response), mediaType } };
  if (isText(mediaType)) return { ok: true, content: readText(response, mediaType) };
  return failed("unsupported_media_type", `${url} is ${mediaType}, which cannot be read as text.`);
}

function readHtml({ url, headers, bytes, cut }: OutboundResponse): PageContent {
  const page = readPage(decodeText(bytes, headers.get("content-type")), url);
  return { ...page, cut: page.cut || cut };
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
