import { getMeasureKind, MeasureKind, type Unit } from "convert";

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
