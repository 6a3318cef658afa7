import type { Transform } from "../../../contract/inbound/mapping.ts";
import type { PayloadValue } from "../../../contract/inbound/payload.ts";
import { memoize } from "../../../lib/lru-map.ts";
import { made, type Outcome, refused, unfit } from "./outcome.ts";

type UnitSetting = Extract<Transform, { type: "unit" }>;

const FORMS = ["minor", "major"];
/** A plain decimal: no exponent, since what counts here is each digit. */
const AMOUNT = /^([+-]?)(\d{1,40})(?:\.(\d{1,40}))?$/;

const currencies = new Set(Intl.supportedValuesOf("currency"));

/** Whether a unit is one of money's: the smallest coin (`minor`) or the currency itself (`major`). */
export function isMoney({ from, to }: UnitSetting): boolean {
  return FORMS.includes(from) || FORMS.includes(to);
}

/** What is wrong with a setting of money; null for nothing. */
export function currencyFault({ from, to, currency }: UnitSetting): string | null {
  const other = [from, to].find((name) => !FORMS.includes(name));
  if (other !== undefined) return `cannot convert money (minor, major) from or into ${other}`;
  if (currency === undefined) return "needs a currency (ISO 4217) for minor and major";
  return currencies.has(currency.toUpperCase())
    ? null
    : `names the currency ${JSON.stringify(currency)}, which is not known`;
}

/**
 * An amount from a currency's smallest unit into the currency or back, by the digits of ISO 4217: 1999
 * USD is 19.99, 1999 JPY is 1999, 1999 KWD is 1.999. The decimal point is moved in the text, so nothing
 * is rounded: what has more decimals than the currency, or digits than a number holds, is refused.
 */
export function money(value: PayloadValue, setting: UnitSetting): Outcome {
  const fault = currencyFault(setting);
  if (fault !== null || setting.currency === undefined) return refused(fault ?? "has no currency");
  const [, sign, whole, fraction = ""] = AMOUNT.exec(amountText(value)) ?? [];
  if (whole === undefined) return unfit(value, "an amount such as 1999 or 19.99");
  const digits = digitsOf(setting.currency.toUpperCase());
  const allowed = setting.from === "minor" ? 0 : digits;
  if (fraction.replace(/0+$/, "").length > allowed) {
    return refused(`has more decimals than ${setting.currency} has in its ${setting.from} unit`);
  }
  const minor = `${whole}${fraction.slice(0, allowed).padEnd(allowed, "0")}`;
  return exact(sign === "-" ? "-" : "", minor, setting.to === "minor" ? 0 : digits);
}

function exact(sign: string, minor: string, decimals: number): Outcome {
  const padded = minor.padStart(decimals + 1, "0");
  const cut = padded.length - decimals;
  const whole = padded.slice(0, cut).replace(/^0+(?=\d)/, "");
  const fraction = padded.slice(cut).replace(/0+$/, "");
  const text = fraction === "" ? whole : `${whole}.${fraction}`;
  const amount = Number(text);
  if (String(amount) !== text) return refused("has more digits than a number can hold");
  return made(sign === "-" && amount !== 0 ? -amount : amount);
}

function amountText(value: PayloadValue): string {
  const plain = typeof value === "string" || typeof value === "number" || typeof value === "bigint";
  return plain ? String(value).trim() : "";
}

/** Making a format costs more than the rest of a mapping. */
const digitsOf = memoize(currencies.size, (currency): number => {
  const format = new Intl.NumberFormat("en", { style: "currency", currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
});
