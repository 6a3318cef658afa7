import * as z from "zod";
import { flag, listOf, oneOf, open, whole } from "../fields.ts";
import { json } from "../json.ts";
import { address, callId, cutAt } from "./call.ts";

export const browseInput = open({
  url: address.optional(),
  callId: callId
    .optional()
    .describe(
      "In place of `url`: an earlier browse call, to read on in its page without opening it again.",
    ),
  offset: z
    .int()
    .min(0)
    .optional()
    .describe("The position in the page's text to read from, in characters."),
  render: oneOf("auto", "always", "never")
    .default("auto")
    .describe(
      "Whether a real browser runs the page's JavaScript. auto: if the page is empty without it.",
    ),
})
  .refine(({ url, callId }) => (url === undefined) !== (callId === undefined), {
    path: ["url"],
    error: "must be given, or else callId, but not both",
  })
  .refine(({ callId, render }) => callId === undefined || render === "auto", {
    path: ["callId"],
    error: "must not be combined with render: it opens nothing",
  })
  .refine(({ callId, offset }) => callId !== undefined || offset === undefined, {
    path: ["offset"],
    error: "must be combined with callId: a page is opened at its start",
  });
export type BrowseInput = z.infer<typeof browseInput>;

/** A part of a page's text from `offset` on; in answers of earlier versions, passages around found words. */
export const pageExcerpt = z.strictObject({
  offset: z.int().exactOptional(),
  find: z.json().exactOptional(),
  text: z.string(),
  total: z.int().describe("The length of the page's text in characters."),
});

/** The answer of a `browse` call that reads on in an earlier one. Strict, so that no other matches. */
export const pagePart = z.strictObject({
  page: callId.describe("The call that opened the page."),
  url: z.string(),
  title: z.string(),
  excerpt: pageExcerpt,
});
export type PagePart = z.infer<typeof pagePart>;

/** The content of a `browse` answer. A page that is not HTML has only its text. */
export const pageContent = open({
  url: z.string().describe("The address after redirects."),
  mediaType: z.string(),
  title: z.string(),
  description: z.string().exactOptional(),
  text: z.string().describe("Markdown of an HTML page, otherwise the text as received."),
  headings: listOf(open({ level: z.int(), text: z.string() })),
  links: listOf(open({ text: z.string(), url: z.string() })).describe(
    "The links in document order, with absolute addresses.",
  ),
  tables: listOf(
    open({
      caption: z.string().nullable(),
      columns: listOf(z.string()),
      rows: listOf(listOf(z.string())),
    }),
  ),
  cut: z.boolean().describe("True if the page was too long and is cut."),
  cutAt,
  rendered: flag.exactOptional().describe("True if a real browser ran the page's JavaScript."),
  notes: listOf(z.string()).exactOptional().describe("Notes on failed and refused parts."),
  excerpt: pageExcerpt
    .exactOptional()
    .describe("The part that the call asked for, in answers of earlier versions."),
});
export type PageContent = z.infer<typeof pageContent>;

const HTTP_METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"] as const;
export const httpRequestInput = open({
  method: z.enum(HTTP_METHODS).default("GET").describe("The HTTP method."),
  url: address,
  headers: z.record(z.string(), z.string()).optional().describe("The headers by name."),
  body: json.optional().describe("A string is sent unchanged, any other value as JSON."),
  sources: listOf(callId, 50)
    .optional()
    .describe("The calls that the figures of the body came from."),
});
export type HttpRequestInput = z.infer<typeof httpRequestInput>;

export const httpResponseContent = open({
  url: z.string(),
  status: z.int(),
  mediaType: z.string(),
  headers: z.record(z.string(), z.string()),
  json: z.exactOptional(json).describe("The parsed body, if it is JSON."),
  text: z.string().exactOptional().describe("The body, if it is not JSON."),
  cut: z.boolean(),
  cutAt,
});
export type HttpResponseContent = z.infer<typeof httpResponseContent>;

export const searchWebInput = open({
  // Brave and Tavily refuse longer queries.
  query: z.string().trim().min(1).max(400).describe("The words to search for."),
  count: whole(1, 20).default(10).describe("The most results to return."),
});
export type SearchWebInput = z.infer<typeof searchWebInput>;

/** One page that a search found. */
const searchResult = z.strictObject({
  title: z.string(),
  url: z.string(),
  snippet: z.string().describe("A passage of the page, or its description."),
  published: z.string().exactOptional().describe("The page's date, as the provider writes it."),
});
export type SearchResult = z.infer<typeof searchResult>;

/** The answer of `search_web`, the best result first. Strict, so that no other answer matches. */
export const searchContent = z.strictObject({
  provider: oneOf("searxng", "brave", "tavily"),
  query: z.string(),
  results: listOf(searchResult),
});
export type SearchContent = z.infer<typeof searchContent>;
