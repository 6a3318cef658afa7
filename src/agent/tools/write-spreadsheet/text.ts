import { cutAt } from "../page/text.ts";

/** Characters that a cell of an Excel workbook holds. */
export const MAX_CELL_TEXT = 32_767;

/**
 * What XML 1.0 (§2.2) cannot hold: controls besides tab and line breaks, halves of surrogate pairs,
 * and U+FFFE and U+FFFF.
 */
const FORBIDDEN = /(?![\t\n\u007f-\u009f])\p{Cc}|[\ufffe\uffff]|\p{Surrogate}/gu;

/** The text as a cell can hold it: with plain line feeds, without what XML forbids, not too long. */
export function cellText(text: string): string {
  return cutAt(text.replace(/\r\n?/g, "\n").replace(FORBIDDEN, ""), MAX_CELL_TEXT);
}
