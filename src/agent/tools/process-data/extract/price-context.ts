/** A price with what it stands beside; without a currency where none is named. */
export type PriceRow = [text: string, price: number, currency: string | null];

/** Characters of context beside a price at most. */
const MAX_CONTEXT = 200;

/** The last characters, where the name next to the price is. */
export function shortContext(text: string): string {
  return text.length <= MAX_CONTEXT
    ? text
    : `…${text.slice(1 - MAX_CONTEXT).replace(/^[\udc00-\udfff]/, "")}`;
}
