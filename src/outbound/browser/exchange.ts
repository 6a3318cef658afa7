import * as z from "zod";
import type { OutboundResponse } from "../../agent/ports/fetch.ts";
import { toBase64 } from "../../lib/encoding.ts";
import { refusedHeaders } from "../headers.ts";

/** What the browser tells of a request that it holds back (`Fetch.requestPaused`). */
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

/** The request's headers that may go out; the rest belong to a connection that the browser has not. */
export function sentHeaders(headers: Record<string, string>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).filter(([name, value]) => refusedHeaders({ [name]: value }) === null),
  );
}

/** The request's body: undefined for none, null for one that is not text. */
export function sentBody({ hasPostData, postDataEntries }: PausedRequest["request"]) {
  if (!hasPostData) return undefined;
  // A part without bytes is a file or a blob, which the browser does not hand over.
  if (postDataEntries === undefined || postDataEntries.some(({ bytes }) => bytes === undefined)) {
    return null;
  }
  const binary = postDataEntries.map(({ bytes = "" }) => atob(bytes)).join("");
  try {
    const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** Headers that describe how the body came to us; it is handed on whole and decoded. */
const OF_THE_TRANSFER = new Set([
  "connection",
  "content-encoding",
  "content-length",
  "keep-alive",
  "transfer-encoding",
]);

/**
 * What every document gets besides its own headers. The sandbox takes windows, dialogs and downloads
 * from it at the moment that it asks, so that there is never a second window to guard; scripts, forms,
 * cookies and navigation stay. The permissions are those that a browser would ask a person for.
 */
const OF_DOCUMENTS = [
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

/** The answer as the browser takes it (`Fetch.fulfillRequest`). */
export function fulfilment(response: OutboundResponse, { isDocument }: { isDocument: boolean }) {
  const headers = [...response.headers]
    .filter(([name]) => !OF_THE_TRANSFER.has(name) && name !== "set-cookie")
    .map(([name, value]) => ({ name, value }));
  const cookies = response.headers.getSetCookie().map((value) => ({ name: "Set-Cookie", value }));
  return {
    responseCode: response.status,
    responseHeaders: [...headers, ...cookies, ...(isDocument ? OF_DOCUMENTS : [])],
    body: toBase64(response.bytes),
  };
}
