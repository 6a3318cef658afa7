import * as z from "zod";
import { address, callId, cutAt } from "./call.ts";

const target = z
  .string()
  .min(1)
  .max(500)
  .describe("A CSS selector, or the visible text, label, placeholder or name of an element.");

/** The keys of `press`. */
const KEYS = [
  "Enter",
  "Tab",
  "Escape",
  "Space",
  "Backspace",
  "Delete",
  "ArrowUp",
  "ArrowDown",
  "ArrowLeft",
  "ArrowRight",
  "Home",
  "End",
  "PageUp",
  "PageDown",
] as const;

/** One action on a page in a real browser. */
export const browseAction = z.discriminatedUnion("do", [
  z.object({ do: z.literal("click"), target }),
  z.object({
    do: z.literal("type"),
    target,
    text: z.string().max(10_000),
  }),
  z.object({
    do: z.literal("select"),
    target,
    value: z.string().max(1_000),
  }),
  z.object({
    do: z.literal("press"),
    key: z.enum(KEYS),
  }),
  z.object({
    do: z.literal("wait"),
    target,
  }),
  z.object({
    do: z.literal("screenshot"),
    label: z.string().min(1).max(200).default("Screenshot"),
    fullPage: z.boolean().default(false),
  }),
]);
export type BrowseAction = z.infer<typeof browseAction>;

const RENDER_MODES = ["auto", "always", "never"] as const;

export const browseInput = z
  .object({
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
    find: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .describe(
        "Words to find: the answer has the passages around them instead of the whole text.",
      ),
    render: z
      .enum(RENDER_MODES)
      .default("auto")
      .describe(
        "Whether a real browser runs the page's JavaScript. auto: if the page is empty without it or there are actions.",
      ),
    actions: z
      .array(browseAction)
      .max(20)
      .default([])
      .describe(
        "Done in order in a real browser before the page is read. click and wait take `target`; type also `text`, the whole content of a field; select also `value`, an option; press a `key`, for the field typed into last; screenshot a `label`, and makes a file output.",
      ),
  })
  .refine(({ url, callId }) => (url === undefined) !== (callId === undefined), {
    path: ["url"],
    error: "must be given, or else callId, but not both",
  })
  .refine(({ callId, actions, render }) => callId === undefined || isDefault(actions, render), {
    path: ["callId"],
    error: "must not be combined with render or actions: it opens nothing",
  })
  .refine(({ offset, find }) => offset === undefined || find === undefined, {
    path: ["find"],
    error: "must not be combined with offset",
  })
  .refine(({ render, actions }) => render !== "never" || actions.length === 0, {
    path: ["render"],
    error: "must not be never if there are actions, which need a browser",
  });
export type BrowseInput = z.infer<typeof browseInput>;

function isDefault(actions: readonly BrowseAction[], render: string): boolean {
  return actions.length === 0 && render === "auto";
}

/** A part of a page's text: from `offset` on, or the passages around the words of `find`. */
export const pageExcerpt = z.strictObject({
  offset: z.int().exactOptional(),
  find: z
    .strictObject({
      words: z.string(),
      matches: z.int(),
      shown: z.int().describe("The matches in the text."),
    })
    .exactOptional(),
  text: z.string(),
  total: z.int().describe("The length of the page's text in characters."),
});
export type PageExcerpt = z.infer<typeof pageExcerpt>;

/** The answer of a `browse` call that reads on in an earlier one. Strict, so that no other matches. */
export const pagePart = z.strictObject({
  page: callId.describe("The call that opened the page."),
  url: z.string(),
  title: z.string(),
  excerpt: pageExcerpt,
});
export type PagePart = z.infer<typeof pagePart>;

/** The content of a `browse` answer. A page that is not HTML has only its text. */
export const pageContent = z.object({
  url: z.string().describe("The address after redirects."),
  mediaType: z.string(),
  title: z.string(),
  description: z.string().exactOptional(),
  text: z.string().describe("Markdown of an HTML page, otherwise the text as received."),
  headings: z.array(z.object({ level: z.int(), text: z.string() })),
  links: z
    .array(z.object({ text: z.string(), url: z.string() }))
    .describe("The links in document order, with absolute addresses."),
  tables: z.array(
    z.object({
      caption: z.string().nullable(),
      columns: z.array(z.string()),
      rows: z.array(z.array(z.string())),
    }),
  ),
  cut: z.boolean().describe("True if the page was too long and is cut."),
  cutAt,
  rendered: z
    .boolean()
    .exactOptional()
    .describe("True if a real browser ran the page's JavaScript."),
  notes: z.array(z.string()).exactOptional().describe("Notes on failed and refused parts."),
  excerpt: pageExcerpt.exactOptional().describe("The part that the call asked for."),
});
export type PageContent = z.infer<typeof pageContent>;
