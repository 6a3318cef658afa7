import { readPage } from "../../../../../src/agent/tools/page/read-page.ts";

/** A page of this markup, as it is read. */
export const read = (html: string) => readPage(html, "https://example.com/dir/page").page;

/** The text of a page of this markup, in Markdown. */
export const textOf = (html: string) => read(html).text;
