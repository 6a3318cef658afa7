import { convert } from "convert";
import type { Transform } from "../../../contract/inbound/mapping.ts";
import { toDouble } from "./decimal.ts";
import { currencyFault, isMoney, money } from "./money.ts";
import { made, refused, type TransformOf, unfit } from "./outcome.ts";
import { type KnownUnit, unitNamed } from "./units.ts";

/** Digits that a double surely holds: what differs after them is noise of the conversion. */
const DIGITS = 15;
/** Temperatures are shifted as well, which leaves noise of this size near zero. */
const TEMPERATURE_DECIMALS = 9;

type UnitSetting = Extract<Transform, { type: "unit" }>;

/** A number, or the text of one, from one unit into another; or money, see `money`. */
export const unit: TransformOf<"unit"> = (value, setting) => {
  if (isMoney(setting)) return money(value, setting);
  const from = unitNamed(setting.from);
  const to = unitNamed(setting.to);
  const fault = unitFault(setting);
  if (from === null || to === null || fault !== null) return refused(fault ?? "has no unit");
  const quantity = toDouble(value);
  if (quantity === null) return unfit(value, "a number or the text of one");
  const converted = rounded(between(quantity, from, to), from.measure);
  return Number.isFinite(converted) ? made(converted) : refused("is too large for a number");
};

/** What is wrong with a setting, as a sentence without its subject; null for nothing. */
export function unitFault(setting: UnitSetting): string | null {
  if (isMoney(setting)) return currencyFault(setting);
  const unknown = [setting.from, setting.to].find((name) => unitNamed(name) === null);
  if (unknown !== undefined) return `names the unit ${JSON.stringify(unknown)}, which is not known`;
  const [from, to] = [unitNamed(setting.from)?.measure, unitNamed(setting.to)?.measure];
  return from === to ? null : `cannot convert ${setting.from} (${from}) into ${setting.to} (${to})`;
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
  // Without the sign of -0, which JSON would drop anyway.
  return Number(text) + 0;
}
