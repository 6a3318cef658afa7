import { memoize } from "./lru-map.ts";

let known: ReadonlySet<string> | null = null;

/** Whether a text is an ISO 4217 code, in any case. */
export function isCurrency(code: string): boolean {
  // Listed at the first use: isolates that convert no money need no list.
  known ??= new Set(Intl.supportedValuesOf("currency"));
  return known.has(code.toUpperCase());
}

/** Returns the decimals of a currency's smallest unit: 2 of EUR, 0 of JPY, 3 of KWD. */
export function currencyDigits(code: string): number {
  return digitsOf(code.toUpperCase());
}

/** Creating a format costs more than the rest of a mapping. */
const digitsOf = memoize(400, (currency): number => {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
});

/**
 * Currency symbols and their ISO 4217 codes. Several currencies share `$` and `¥`, which are read as the
 * most traded one (USD, JPY); the text beside a price keeps the symbol.
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

/** Codes that are read in free text: others are words there too, such as ALL and TOP. */
const CODES = new Set(
  (
    "USD EUR GBP JPY CNY INR CAD AUD NZD CHF SEK NOK DKK ISK PLN CZK HUF RON BGN TRY RUB UAH ILS ZAR " +
    "BRL MXN ARS CLP COP PEN SGD HKD KRW TWD THB IDR MYR PHP VND AED SAR EGP NGN KES MAD PKR"
  ).split(" "),
);

/** Currencies that use a dot between thousands: "1.234 €" is more than a thousand. */
const DOT_GROUPING = new Set("EUR DKK NOK ISK PLN RON TRY BRL ARS CLP COP IDR VND".split(" "));

/** Symbols and codes in free text, as alternatives of a pattern, longest first. */
export const SYMBOL_PATTERN = "(?:US|AU|CA|HK|MX|NZ|[ACRS])?\\$|[€£¥₹₩₽₺₴₪₫₱฿₦]|zł";
export const CODE_PATTERN = [...CODES].join("|");

/** Returns the ISO code of a symbol or code such as `$`, `US$` or `eur`, or null if it is unknown. */
export function currencyCode(mark: string): string | null {
  const upper = mark.toUpperCase();
  if (CODES.has(upper)) return upper;
  return Object.hasOwn(SYMBOLS, upper) ? (SYMBOLS[upper] ?? null) : null;
}

/** Whether a dot before three digits separates thousands in this currency. */
export function groupsWithDot(code: string): boolean {
  return DOT_GROUPING.has(code);
}
