import * as z from "zod";
import { address } from "./shared.ts";

export const browseInput = z.object({ url: address });
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
});
export type PageContent = z.infer<typeof pageContent>;
