/**
 * The currencies of ISO 4217 by the decimals of their smallest units, those withdrawn since 2020
 * included. Intl has digits of its own, for cash, which differ between runtimes.
 * https://www.six-group.com/en/products-services/financial-information/data-standards.html
 */
const DECIMALS: Readonly<Record<number, string>> = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF",
  2:
    "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BOV BRL BSD BTN BWP BYN BZD " +
    "CAD CDF CHE CHF CHW CNY COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL " +
    "GHS GIP GMD GTQ GYD HKD HNL HRK HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR " +
    "LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB " +
    "PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SLL SOS SRD SSP STN SVC SYP " +
    "SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG ZWL",
  3: "BHD IQD JOD KWD LYD OMR TND",
  4: "CLF UYW",
};

const DIGITS: ReadonlyMap<string, number> = new Map(
  Object.entries(DECIMALS).flatMap(([digits, codes]) =>
    codes.split(" ").map((code): [string, number] => [code, Number(digits)]),
  ),
);

/**
 * Returns the decimals of a currency's smallest unit by ISO 4217, in any case: 2 of EUR, 0 of JPY, 3 of
 * KWD. Returns null for other text, and for codes without such a unit, such as XAU (gold).
 */
export function currencyDigits(code: string): number | null {
  return DIGITS.get(code.toUpperCase()) ?? null;
}

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
