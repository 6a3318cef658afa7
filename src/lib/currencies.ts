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
