/** A decimal number without rounding: `units / 10^scale`. */
export interface Decimal {
  units: bigint;
  scale: number;
}

const ZERO: Decimal = { units: 0n, scale: 0 };

/** Decimals that a mean keeps beyond those of its values. */
const MEAN_DECIMALS = 10;

/** Reads `-?digits(.digits)?(e-?digits)?`, the form of `String(number)` and of `Quantity.digits`. */
export function decimalOf(digits: string): Decimal {
  const [mantissa = "0", exponent = "0"] = digits.split("e");
  const [whole = "0", fraction = ""] = mantissa.split(".");
  const units = BigInt(whole + fraction);
  const scale = fraction.length - Number(exponent);
  return scale < 0 ? { units: units * 10n ** BigInt(-scale), scale: 0 } : { units, scale };
}

/** The exact sum: cents add up to cents. */
export function sumOf(values: readonly Decimal[]): Decimal {
  const scale = values.reduce((most, value) => Math.max(most, value.scale), 0);
  const units = values.reduce((sum, value) => sum + atScale(value, scale), 0n);
  return values.length === 0 ? ZERO : { units, scale };
}

/** The mean of at least one value, rounded half away from zero, ten decimals finer than the values. */
export function meanOf(values: readonly Decimal[]): Decimal {
  const sum = sumOf(values);
  const scale = sum.scale + MEAN_DECIMALS;
  const units = atScale(sum, scale);
  const count = BigInt(values.length);
  const half = units < 0n ? -count : count;
  return { units: (units * 2n + half) / (count * 2n), scale };
}

/** The nearest double, or null when it is too large for one. */
export function decimalToNumber({ units, scale }: Decimal): number | null {
  const value = Number(`${units}e-${scale}`);
  return Number.isFinite(value) ? value : null;
}

function atScale(value: Decimal, scale: number): bigint {
  return value.units * 10n ** BigInt(scale - value.scale);
}
