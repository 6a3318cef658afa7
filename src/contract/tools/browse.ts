import * as z from "zod";
import { address } from "./call.ts";

const target = z.string().min(1).max(500);
const clickable = target.describe(
  "What to click: a CSS selector, or the visible text or accessible name of a link or button.",
);
const field = target.describe("A field: a CSS selector, or its label, placeholder or name.");

/** Keys that `press` knows. */
export const KEYS = [
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

/** One thing to do on a page in a real browser, as a person would. */
export const browseAction = z.discriminatedUnion("do", [
  z.object({ do: z.literal("click"), target: clickable }),
  z.object({
    do: z.literal("type"),
    target: field,
    text: z.string().max(10_000).describe("Replaces what the field holds."),
  }),
  z.object({
    do: z.literal("select"),
    target: field,
    value: z.string().max(1_000).describe("The value or the visible text of an option."),
  }),
  z.object({
    do: z.literal("press"),
    key: z.enum(KEYS).describe("Goes to what has the focus, as the field last typed into."),
  }),
  z.object({
    do: z.literal("wait"),
    target: target.describe("Until this CSS selector or text is visible."),
  }),
  z.object({
    do: z.literal("screenshot"),
    label: z.string().min(1).max(200).default("Screenshot"),
    fullPage: z.boolean().default(false).describe("Else what is in view."),
  }),
]);
export type BrowseAction = z.infer<typeof browseAction>;

const RENDER_MODES = ["auto", "always", "never"] as const;

export const browseInput = z
  .object({
    url: address,
    render: z
      .enum(RENDER_MODES)
      .default("auto")
      .describe(
        "Whether a real browser runs the page's JavaScript: auto does so when the page is empty without it, or when there are actions.",
      ),
    actions: z
      .array(browseAction)
      .max(20)
      .default([])
      .describe(
        "Done in this order once the page has loaded, in a real browser; then it is read. Screenshots become file outputs.",
      ),
  })
  .refine(({ render, actions }) => render !== "never" || actions.length === 0, {
    path: ["render"],
    error: "must not be never beside actions, which need a browser",
  });
export type BrowseInput = z.infer<typeof browseInput>;
/** What `browse` found. A page that is not HTML has its text only. */
export const pageContent = z.object({
  url: z.string().describe("The address after redirects."),
  mediaType: z.string(),
  title: z.string(),
  description: z.string().exactOptional(),
  text: z.string().describe("Markdown of an HTML page, else the text as it came."),
  headings: z.array(z.object({ level: z.int(), text: z.string() })),
  links: z
    .array(z.object({ text: z.string(), url: z.string() }))
    .describe("In document order, absolute."),
  tables: z.array(
    z.object({
      caption: z.string().nullable(),
      columns: z.array(z.string()),
      rows: z.array(z.array(z.string())),
    }),
  ),
  cut: z.boolean().describe("True when the page was longer than what is kept."),
  rendered: z
    .boolean()
    .exactOptional()
    .describe("True when a real browser ran the page's JavaScript."),
  notes: z.array(z.string()).exactOptional().describe("What did not work, and what was refused."),
});
export type PageContent = z.infer<typeof pageContent>;
