import * as z from "zod";
import type { Json, JsonObject } from "../../../contract/json.ts";
import { pageContent, pageExcerpt, pagePart } from "../../../contract/tools/browse.ts";

/** A page, or a part of one, as a model reads it: its Markdown once, and no copies of its tables and links. */
export interface ShownPage {
  /** What is known of the page, without its text. */
  head: JsonObject;
  text: string;
  /** Where the text comes from. */
  place: PagePlace;
}

export interface PagePlace {
  /** The call that opened the page. */
  callId: string;
  /** The position of the text in the page's, or null for passages of an earlier version. */
  offset: number | null;
  /** The length of the page's text. */
  total: number;
}

/** A page's content without a look at each table and link, of which there can be thousands. */
const page = z.object({
  ...pageContent.shape,
  headings: z.array(z.unknown()),
  links: z.array(z.unknown()),
  tables: z.array(z.unknown()),
  excerpt: pageExcerpt.exactOptional(),
});

/** Returns the page in an answer of `browse`, or null if there is none. */
export function shownPage(callId: string, content: Json): ShownPage | null {
  const part = pagePart.safeParse(content);
  if (part.success) {
    const { page: opened, url, title, excerpt } = part.data;
    return excerptShown(opened, { url, title }, excerpt);
  }
  const whole = page.safeParse(content);
  if (!whole.success) return null;
  const { text, headings: _, links: __, tables: ___, cut: ____, excerpt, ...head } = whole.data;
  if (excerpt !== undefined) return excerptShown(callId, head, excerpt);
  return { head, text, place: { callId, offset: 0, total: text.length } };
}

function excerptShown(
  callId: string,
  head: JsonObject,
  excerpt: z.infer<typeof pageExcerpt>,
): ShownPage {
  const { offset = null, text, total } = excerpt;
  return { head: { ...head, offset, total }, text, place: { callId, offset, total } };
}
