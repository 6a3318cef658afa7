/** No two of these begin alike, so that a text is taken apart in one way only, and in linear time. */
const TOKEN = [
  '"[^"]*"', // a literal
  "\\\\.", // one literal character
  "[_*].", // room as wide as a character, or a character that fills the cell
  "\\[(?:black|blue|cyan|green|magenta|red|white|yellow|color ?\\d{1,2})\\]",
  "\\[(?:[<>]=?|=|<>)-?\\d+(?:\\.\\d+)?\\]", // a condition
  "\\[\\$[^\\]]{0,20}\\]", // a currency or a locale
  "\\[(?:h{1,2}|m{1,2}|s{1,2})\\]", // elapsed time
  "General",
  "AM/PM",
  "A/P",
  "[ymdhs]",
  "E[+-]",
  "[0#?.,%/@]",
  "[-$€£¥+():!^&'~{}<>= ]", // shown as they are
].join("|");
const SECTION = `(?:${TOKEN})+`;
const FORMAT = new RegExp(`^${SECTION}(?:;(?:${TOKEN})*){0,3}$`, "i");

/**
 * Whether Excel knows this as a number format. It calls a workbook with any other one damaged, and
 * offers to repair it.
 */
export function isNumberFormat(format: string): boolean {
  return FORMAT.test(format) && !/\p{Cc}/u.test(format);
}
