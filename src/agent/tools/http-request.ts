import type { Json } from "../../contract/json.ts";
import { failedAnswer } from "../../contract/tools/call.ts";
import {
  type HttpRequestInput,
  type HttpResponseContent,
  httpRequestInput,
} from "../../contract/tools/web.ts";
import { exactJson } from "../../lib/json-values.ts";
import { MOST_OF_TOOLS, parseExactJson } from "../../lib/strict-json.ts";
import { binarySize } from "../../lib/text.ts";
import type { OutboundRequest, OutboundResponse } from "../../ports/fetch.ts";
import { decodeText, isJson, isText, mediaTypeOf, urlWithoutQuery } from "./response-body.ts";
import { fitItems, fitText, MAX_SOURCE_BYTES, MAX_STORED_BYTES, storedBytes } from "./text.ts";
import { effectError, requestError, type Tool, type ToolContext, type ToolResult } from "./tool.ts";

const MAX_HEADER_BYTES = 16 * 1024;
const TIMEOUT_MS = 30_000;
const MAX_REDIRECTS = 5;

/** Sends HTTP requests to other services. */
export const httpRequest: Tool<HttpRequestInput> = {
  name: "http_request",
  description:
    "Sends an HTTP request to an API and returns its status, headers and body, parsed when it is JSON. " +
    "Any status counts as an answer. GET and HEAD only read; every other method is a change. Not for pages to be read (browse). " +
    'Example: {"method": "POST", "url": "https://api.example.com/orders", "body": {"sku": "A1"}}.',
  input: httpRequestInput,
  kind: "read",
  effect: (input) =>
    isRead(input) ? null : { target: `${input.method} ${urlWithoutQuery(input.url)}` },
  describe: ({ method, url }) => `Sending ${method} ${urlWithoutQuery(url)}`,
  run,
};

async function run(input: HttpRequestInput, context: ToolContext): Promise<ToolResult> {
  const { url } = input;
  if (isRead(input) && input.body !== undefined) {
    const message = `A ${input.method} request must not have a body.`;
    return { answer: failedAnswer("invalid_request", message) };
  }
  let response: OutboundResponse;
  try {
    response = await context.fetch(requestOf(input, context));
  } catch (error) {
    return { answer: isRead(input) ? requestError(error) : effectError(error), url };
  }
  const content = contentOf(response);
  const { cutAt } = content;
  const isWhole = input.method === "GET" && response.status >= 200 && response.status <= 299;
  return {
    answer: { ok: true, content },
    url: response.url,
    basedOn: input.sources ?? [],
    ...(cutAt === undefined ? isWhole && { cut: null } : { cut: cutAt }),
  };
}

function isRead({ method }: HttpRequestInput): boolean {
  return method === "GET" || method === "HEAD";
}

function requestOf(input: HttpRequestInput, context: ToolContext): OutboundRequest {
  const { method, url, body } = input;
  const read = isRead(input);
  const sent = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const given = Object.entries(input.headers ?? {}).map(([name, value]) => [
    name.toLowerCase(),
    value,
  ]);
  const headers = {
    accept: "application/json, */*;q=0.5",
    ...(sent !== body && { "content-type": "application/json" }),
    ...Object.fromEntries(given),
    // Set last, so that a repeated call always sends the same key.
    ...(read ? {} : { "idempotency-key": context.idempotencyKey }),
    ...(context.traceparent !== undefined && { traceparent: context.traceparent }),
  };
  return {
    method,
    url,
    headers,
    ...(sent !== undefined && { body: sent }),
    maxBytes: MAX_SOURCE_BYTES,
    timeoutMs: TIMEOUT_MS,
    // An effect is sent once, to the given address only.
    maxRedirects: read ? MAX_REDIRECTS : 0,
    signal: context.signal,
  };
}

function contentOf(response: OutboundResponse): HttpResponseContent {
  const { url, status, headers, cut } = response;
  const mediaType = mediaTypeOf(headers);
  const answer = { url, status, mediaType, headers: headersOf(headers) };
  const parsed = cut ? undefined : jsonOf(response, mediaType);
  if (parsed !== undefined) return { ...answer, json: parsed, cut: false };
  const text = isReadable(response, mediaType)
    ? fitText(decodeText(response.bytes, headers.get("content-type")), MAX_STORED_BYTES)
    : null;
  const isCut = cut || text?.cut === true;
  const cutAt = isCut && { cutAt: binarySize(MAX_SOURCE_BYTES) };
  return { ...answer, ...(text && { text: text.kept }), cut: isCut, ...cutAt };
}

/** Parses a JSON body by its content: some APIs declare no type, or text. A long id is a text of digits. */
function jsonOf({ bytes }: OutboundResponse, mediaType: string): Json | undefined {
  const first = bytes.find((byte) => byte > 0x20);
  const looksLikeJson = first === 0x7b || first === 0x5b;
  if (!isJson(mediaType) && !(looksLikeJson && /^(text\/plain)?$/.test(mediaType)))
    return undefined;
  const parsed = parseExactJson(bytes, MOST_OF_TOOLS);
  const value = parsed.ok ? exactJson(parsed.value) : undefined;
  // Reserialized, a number like 1e20 is longer than received.
  return value !== undefined && storedBytes(value) <= MAX_STORED_BYTES ? value : undefined;
}

/** Whether a body is text; without a media type, a NUL byte means binary. */
function isReadable({ bytes }: OutboundResponse, mediaType: string): boolean {
  return mediaType === "" ? !bytes.includes(0) : isText(mediaType);
}

/** Returns the headers without Set-Cookie: a session secret does not belong in a log. */
function headersOf(headers: Headers): Record<string, string> {
  const shown = [...headers].filter(([name]) => name !== "set-cookie");
  return Object.fromEntries(fitItems(shown, MAX_HEADER_BYTES).kept);
}
