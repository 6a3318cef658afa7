import { convert, getMeasureKind, MeasureKind, type Unit } from "convert";
import type { Transform } from "../../../contract/webhooks/mapping.ts";
import type { PayloadValue } from "../../../contract/webhooks/payload.ts";
import { currencyDigits } from "../../../lib/currencies.ts";
import {
  failure,
  success,
  type Transformed,
  type TransformOf,
  toDouble,
  wrongType,
} from "./basic.ts";

/** Digits that every double keeps: later ones are noise of the conversion. */
const DIGITS = 15;
/** The offset of temperatures leaves noise of this size near zero. */
const TEMPERATURE_DECIMALS = 9;

type UnitSetting = Extract<Transform, { type: "unit" }>;

/** Converts a number or its text from one unit to another, or money (see `money`). */
export const unit: TransformOf<"unit"> = (value, setting) => {
  if (isMoney(setting)) return money(value, setting);
  const from = unitNamed(setting.from);
  const to = unitNamed(setting.to);
  const fault = unitFault(setting);
  if (from === null || to === null || fault !== null) return failure(fault ?? "has no unit");
  const quantity = toDouble(value);
  if (quantity === null) return wrongType(value, "a number or its text");
  const converted = rounded(between(quantity, from, to), from.measure);
  return Number.isFinite(converted) ? success(converted) : failure("is too large for a number");
};

/** Returns the error of a setting, or null. */
export function unitFault(setting: UnitSetting): string | null {
  if (isMoney(setting)) return currencyFault(setting);
  const unknown = [setting.from, setting.to].find((name) => unitNamed(name) === null);
  if (unknown !== undefined) return `has the unknown unit ${JSON.stringify(unknown)}`;
  const [from, to] = [unitNamed(setting.from)?.measure, unitNamed(setting.to)?.measure];
  return from === to ? null : `cannot convert ${setting.from} (${from}) to ${setting.to} (${to})`;
}

function between(quantity: number, from: KnownUnit, to: KnownUnit): number {
  const of = quantity * from.times;
  const into = from.unit && to.unit ? convert(of, from.unit).to(to.unit) : of;
  return into / to.times;
}

function rounded(quantity: number, measure: string): number {
  const text =
    measure === "temperature" && Math.abs(quantity) < 1e6
      ? quantity.toFixed(TEMPERATURE_DECIMALS)
      : quantity.toPrecision(DIGITS);
  // Adding 0 removes the sign of -0, as JSON does.
  return Number(text) + 0;
}

const FORMS = ["minor", "major"];
/** A plain decimal without an exponent: each digit counts. */
const AMOUNT = /^([+-]?)(\d{1,40})(?:\.(\d{1,40}))?$/;

/** Whether a unit is one of money: the currency's smallest unit (`minor`) or the currency (`major`). */
export function isMoney({ from, to }: UnitSetting): boolean {
  return FORMS.includes(from) || FORMS.includes(to);
}

/** Returns the error of a setting of money, or null. */
export function currencyFault({ from, to, currency }: UnitSetting): string | null {
  const other = [from, to].find((name) => !FORMS.includes(name));
  if (other !== undefined) return `cannot convert money (minor, major) from or to ${other}`;
  if (currency === undefined) return "needs a currency (ISO 4217) for minor and major";
  return currencyDigits(currency) !== null
    ? null
    : `has the unknown currency ${JSON.stringify(currency)}; use an ISO 4217 code such as EUR`;
}

/**
 * Converts an amount from a currency's smallest unit to the currency or back, by the digits of ISO
 * 4217: 1999 USD is 19.99, 1999 JPY is 1999, 1999 KWD is 1.999. It moves the decimal point in the text
 * and never rounds: an amount with more decimals than the currency, or more digits than a number holds,
 * is refused.
 */
export function money(value: PayloadValue, setting: UnitSetting): Transformed {
  const digits = currencyDigits(setting.currency ?? "");
  const fault = currencyFault(setting);
  if (fault !== null || digits === null) return failure(fault ?? "has no currency");
  const [, sign, whole, fraction = ""] = AMOUNT.exec(amountText(value)) ?? [];
  if (whole === undefined) return wrongType(value, "an amount such as 1999 or 19.99");
  const allowed = setting.from === "minor" ? 0 : digits;
  if (fraction.replace(/0+$/, "").length > allowed) {
    return failure(`has more decimals than ${setting.currency} has in its ${setting.from} unit`);
  }
  const minor = `${whole}${fraction.slice(0, allowed).padEnd(allowed, "0")}`;
  return exact(sign === "-" ? "-" : "", minor, setting.to === "minor" ? 0 : digits);
}

function exact(sign: string, minor: string, decimals: number): Transformed {
  const padded = minor.padStart(decimals + 1, "0");
  const cut = padded.length - decimals;
  const whole = padded.slice(0, cut).replace(/^0+(?=\d)/, "");
  const fraction = padded.slice(cut).replace(/0+$/, "");
  const text = fraction === "" ? whole : `${whole}.${fraction}`;
  const amount = Number(text);
  if (String(amount) !== text) return failure("has more digits than a number can hold");
  return success(sign === "-" && amount !== 0 ? -amount : amount);
}

function amountText(value: PayloadValue): string {
  const plain = typeof value === "string" || typeof value === "number" || typeof value === "bigint";
  return plain ? String(value).trim() : "";
}

/** A unit: `times` one of the library's units, or, if `unit` is null, the base of its measure. */
export interface KnownUnit {
  measure: string;
  unit: Unit | null;
  times: number;
}

/** Names that the library lacks, or has for a unit that hardly any sender means (`c` is its cup). */
const NAMES: [unit: Unit, names: string][] = [
  ["m", "M"],
  ["µm", "um micron microns"],
  ["g", "gramme grammes"],
  ["kg", "kgs kilo kilos"],
  ["C", "c centigrade"],
  ["F", "f"],
  ["K", "k"],
  ["R", "°R"],
  ["mL", "cc ML"],
  ["fl oz", "floz fluid_ounce fluid_ounces"],
  ["gal", "gals us_gal"],
  ["mm2", "sqmm sq_mm"],
  ["cm2", "sqcm sq_cm"],
  ["m2", "sqm sq_m"],
  ["km2", "sqkm sq_km"],
  ["sq in", "sqin"],
  ["sq ft", "sqft"],
  ["sq yd", "sqyd"],
  ["sq mi", "sqmi"],
  ["µs", "us"],
  ["ms", "msec"],
  ["s", "S sec secs"],
  ["min", "mins"],
  ["h", "hr hrs"],
  ["week", "w W"],
  ["kilobit", "kbit"],
  ["megabit", "Mbit"],
  ["gigabit", "Gbit"],
  ["short ton", "us_ton us_tons"],
  ["long ton", "imperial_ton imperial_tons"],
];

/** Speeds in metres per second, which the library lacks, and the imperial gallon, which it rounds. */
const OWN: [measure: string, unit: Unit | null, times: number, names: string][] = [
  ["volume", "L", 4.546_09, "imperial_gal imp_gal imperial_gallon imperial_gallons"],
  ["speed", null, 1, "m/s mps"],
  ["speed", null, 1 / 3.6, "km/h kmh kph kmph"],
  ["speed", null, 0.447_04, "mph mi/h"],
  ["speed", null, 1_852 / 3_600, "kn kt kts knot knots"],
  ["speed", null, 0.3048, "ft/s fps"],
];

const UNITS = new Map<string, KnownUnit>([
  ...NAMES.flatMap(([unit, names]) => named(names, { measure: measureOf(unit), unit, times: 1 })),
  ...OWN.flatMap(([measure, unit, times, names]) => named(names, { measure, unit, times })),
]);

/** Months and years vary, and the library's `kb` and `mb` are bits where most people mean bytes. */
const REFUSED = /^(?:mo|y|yr|months?|years?|[kmgtp]b)$/;

/**
 * Returns the unit of a name, or null. Case matters where it tells units apart (`MB`, `Mbit`); names in
 * capitals (`KG`, `LBS`) and words (`Pounds`) are also known.
 */
export function unitNamed(name: string): KnownUnit | null {
  const text = name.trim().replace(/\s+/g, "_");
  const exact = known(text);
  if (exact !== null) return exact;
  return text === text.toUpperCase() || text.length > 4 ? known(text.toLowerCase()) : null;
}

function known(name: string): KnownUnit | null {
  const own = UNITS.get(name);
  const unit = name.replaceAll("_", " ");
  if (own !== undefined || !isUnit(unit) || REFUSED.test(unit)) return own ?? null;
  return { measure: measureOf(unit), unit, times: 1 };
}

const isUnit = (name: string): name is Unit => getMeasureKind(name) !== undefined;

function measureOf(unit: Unit): string {
  return MeasureKind[getMeasureKind(unit)].toLowerCase();
}

function named(names: string, unit: KnownUnit): [string, KnownUnit][] {
  return names.split(" ").map((name) => [name, unit]);
}
