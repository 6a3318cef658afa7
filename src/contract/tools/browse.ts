import * as z from "zod";
import { listOf, oneOf, open } from "../fields.ts";
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
  rendered: z
    .boolean()
    .exactOptional()
    .describe("True if a real browser ran the page's JavaScript."),
  notes: listOf(z.string()).exactOptional().describe("Notes on failed and refused parts."),
  excerpt: pageExcerpt
    .exactOptional()
    .describe("The part that the call asked for, in answers of earlier versions."),
});
export type PageContent = z.infer<typeof pageContent>;
