import * as z from "zod";
import { textOrNull, toBase64 } from "../../lib/encoding.ts";
import type { OutboundResponse } from "../../ports/fetch.ts";
import { refusedHeaders } from "../guarded-fetch.ts";

/** A request that the browser holds back (`Fetch.requestPaused`). */
export const pausedRequest = z.object({
  requestId: z.string(),
  frameId: z.string(),
  resourceType: z.string(),
  request: z.object({
    url: z.string(),
    method: z.string(),
    headers: z.record(z.string(), z.string()),
    hasPostData: z.boolean().optional(),
    postDataEntries: z.array(z.object({ bytes: z.string().optional() })).optional(),
  }),
});
export type PausedRequest = z.infer<typeof pausedRequest>;

/** Returns the headers that may be sent; the rest belong to the browser's own connection. */
export function sentHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => refusedHeaders({ [name]: value }) === null),
  );
}

/** Returns the request's body, undefined for none and null for one that is not text. */
export function sentBody({ hasPostData, postDataEntries }: PausedRequest["request"]) {
  if (!hasPostData) return undefined;
  // A part without bytes is a file or a blob, which the browser does not provide.
  if (postDataEntries === undefined || postDataEntries.some(({ bytes }) => bytes === undefined)) {
    return null;
  }
  const binary = postDataEntries.map(({ bytes = "" }) => atob(bytes)).join("");
  return textOrNull(Uint8Array.from(binary, (char) => char.charCodeAt(0)));
}

/** Headers that describe the transfer; the body is passed on whole and decoded. */
const TRANSFER_HEADERS = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "keep-alive",
  "transfer-encoding",
]);

/**
 * Headers that every document gets besides its own. The sandbox blocks new windows, dialogs and
 * downloads, so that there is never a second window to guard; scripts, forms, cookies and navigation
 * stay. The permissions are those that a browser would ask a person for.
 */
const DOCUMENT_HEADERS = [
  {
    name: "Content-Security-Policy",
    value: "sandbox allow-scripts allow-same-origin allow-forms allow-top-navigation",
  },
  {
    name: "Permissions-Policy",
    value:
      "camera=(), microphone=(), geolocation=(), display-capture=(), midi=(), usb=(), serial=(), hid=(), clipboard-read=(), local-fonts=(), idle-detection=(), window-management=()",
  },
];

/** Returns the response as the browser takes it (`Fetch.fulfillRequest`). */
export function fulfilment(response: OutboundResponse, { isDocument }: { isDocument: boolean }) {
  const headers = [...response.headers]
    .filter(([name]) => !TRANSFER_HEADERS.has(name) && name !== "set-cookie")
    .map(([name, value]) => ({ name, value }));
  const cookies = response.headers.getSetCookie().map((value) => ({ name: "Set-Cookie", value }));
  return {
    responseCode: response.status,
    responseHeaders: [...headers, ...cookies, ...(isDocument ? DOCUMENT_HEADERS : [])],
    body: toBase64(response.bytes),
  };
}
