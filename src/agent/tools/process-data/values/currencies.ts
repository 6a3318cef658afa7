/**
 * Marks of currencies and their ISO 4217 codes. A bare `$` or `¥` is shared by several currencies;
 * it is read as the most traded one (USD, JPY), and the text beside a price keeps what was written.
 */
const SYMBOLS: Readonly<Record<string, string>> = {
  $: "USD",
  "€": "EUR",
  "£": "GBP",
  "¥": "JPY",
  "₹": "INR",
  "₩": "KRW",
  "₽": "RUB",
  "₺": "TRY",
  "₴": "UAH",
  "₪": "ILS",
  "₫": "VND",
  "₱": "PHP",
  "฿": "THB",
  "₦": "NGN",
  US$: "USD",
  A$: "AUD",
  AU$: "AUD",
  C$: "CAD",
  CA$: "CAD",
  HK$: "HKD",
  MX$: "MXN",
  NZ$: "NZD",
  R$: "BRL",
  S$: "SGD",
  ZŁ: "PLN",
};

const CODES = new Set(
  (
    "USD EUR GBP JPY CNY INR CAD AUD NZD CHF SEK NOK DKK ISK PLN CZK HUF RON BGN TRY RUB UAH ILS ZAR " +
    "BRL MXN ARS CLP COP PEN SGD HKD KRW TWD THB IDR MYR PHP VND AED SAR EGP NGN KES MAD PKR"
  ).split(" "),
);

/** Currencies usually written with a dot between thousands: "1.234 €" is more than a thousand. */
const DOT_GROUPING = new Set("EUR DKK NOK ISK PLN RON TRY BRL ARS CLP COP IDR VND".split(" "));

/** Symbols and codes as alternatives of a pattern, the longest first. */
export const SYMBOL_PATTERN = "(?:US|AU|CA|HK|MX|NZ|[ACRS])?\\$|[€£¥₹₩₽₺₴₪₫₱฿₦]|zł";
export const CODE_PATTERN = [...CODES].join("|");

/** The ISO code of a mark such as `$`, `US$` or `eur`; null when it is not a currency known here. */
export function currencyCode(mark: string): string | null {
  const upper = mark.toUpperCase();
  if (CODES.has(upper)) return upper;
  return Object.hasOwn(SYMBOLS, upper) ? (SYMBOLS[upper] ?? null) : null;
}

/** Whether a single dot before three digits separates thousands in amounts of this currency. */
export function groupsWithDot(code: string): boolean {
  return DOT_GROUPING.has(code);
}
