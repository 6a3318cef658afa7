import type { Unit } from "convert";

/** A unit: `times` one of the library's units, or, if `unit` is null, the base of its measure. */
export interface KnownUnit {
  measure: string;
  unit: Unit | null;
  times: number;
}

/** The library's units under their common names, without months and years, which vary. */
const LIBRARY: Record<string, [unit: Unit, names: string][]> = {
  length: [
    ["µm", "um µm μm micrometer micrometers micrometre micrometres micron microns"],
    ["mm", "mm millimeter millimeters millimetre millimetres"],
    ["cm", "cm centimeter centimeters centimetre centimetres"],
    ["m", "m meter meters metre metres"],
    ["km", "km kilometer kilometers kilometre kilometres"],
    ["in", 'in inch inches "'],
    ["ft", "ft foot feet '"],
    ["yd", "yd yard yards"],
    ["mi", "mi mile miles"],
    ["nmi", "nmi nautical_mile nautical_miles"],
  ],
  mass: [
    ["mg", "mg milligram milligrams"],
    ["g", "g gram grams gramme grammes"],
    ["kg", "kg kgs kilo kilos kilogram kilograms"],
    ["t", "t tonne tonnes metric_ton metric_tons"],
    ["oz", "oz ounce ounces"],
    ["lb", "lb lbs pound pounds"],
    ["st", "st stone stones"],
  ],
  temperature: [
    ["C", "C °C c celsius centigrade"],
    ["F", "F °F f fahrenheit"],
    ["K", "K k kelvin"],
    ["R", "R °R rankine"],
  ],
  volume: [
    ["mL", "ml mL milliliter milliliters millilitre millilitres cc cm3 cm³"],
    ["cL", "cl cL centiliter centiliters centilitre centilitres"],
    ["dL", "dl dL deciliter deciliters decilitre decilitres"],
    ["L", "l L liter liters litre litres dm3 dm³"],
    ["m3", "m3 m³ cubic_meter cubic_meters cubic_metre cubic_metres"],
    ["tsp", "tsp teaspoon teaspoons"],
    ["tbsp", "tbsp tablespoon tablespoons"],
    ["fl oz", "floz fl_oz fluid_ounce fluid_ounces"],
    ["cup", "cup cups"],
    ["pt", "pt pint pints"],
    ["qt", "qt quart quarts"],
    ["gal", "gal gals gallon gallons us_gal"],
  ],
  area: [
    ["mm2", "mm2 mm² sqmm sq_mm"],
    ["cm2", "cm2 cm² sqcm sq_cm"],
    ["m2", "m2 m² sqm sq_m square_meter square_meters square_metre square_metres"],
    ["km2", "km2 km² sqkm sq_km square_kilometer square_kilometers"],
    ["ha", "ha hectare hectares"],
    ["ac", "ac acre acres"],
    ["sq in", "in2 in² sqin sq_in square_inch square_inches"],
    ["sq ft", "ft2 ft² sqft sq_ft square_foot square_feet"],
    ["sq yd", "yd2 yd² sqyd sq_yd square_yard square_yards"],
    ["sq mi", "mi2 mi² sqmi sq_mi square_mile square_miles"],
  ],
  time: [
    ["ns", "ns nanosecond nanoseconds"],
    ["µs", "us µs μs microsecond microseconds"],
    ["ms", "ms msec millisecond milliseconds"],
    ["s", "s sec secs second seconds"],
    ["min", "min mins minute minutes"],
    ["h", "h hr hrs hour hours"],
    ["d", "d day days"],
    ["week", "w wk week weeks"],
  ],
  data: [
    ["bit", "bit bits"],
    ["B", "B byte bytes"],
    ["KB", "kB KB kilobyte kilobytes"],
    ["MB", "MB megabyte megabytes"],
    ["GB", "GB gigabyte gigabytes"],
    ["TB", "TB terabyte terabytes"],
    ["PB", "PB petabyte petabytes"],
    ["KiB", "KiB kibibyte kibibytes"],
    ["MiB", "MiB mebibyte mebibytes"],
    ["GiB", "GiB gibibyte gibibytes"],
    ["TiB", "TiB tebibyte tebibytes"],
    ["PiB", "PiB pebibyte pebibytes"],
    ["kilobit", "kbit kilobit kilobits"],
    ["megabit", "Mbit megabit megabits"],
    ["gigabit", "Gbit gigabit gigabits"],
  ],
};

/** Units that the library lacks: US and imperial tons, the imperial gallon, and speeds in metres per second. */
const OWN: [measure: string, unit: Unit | null, times: number, names: string][] = [
  ["mass", "lb", 2_000, "short_ton short_tons us_ton us_tons"],
  ["mass", "lb", 2_240, "long_ton long_tons imperial_ton imperial_tons"],
  ["volume", "L", 4.546_09, "imperial_gal imp_gal imperial_gallon imperial_gallons"],
  ["speed", null, 1, "m/s mps"],
  ["speed", null, 1 / 3.6, "km/h kmh kph kmph"],
  ["speed", null, 0.447_04, "mph mi/h"],
  ["speed", null, 1_852 / 3_600, "kn kt kts knot knots"],
  ["speed", null, 0.3048, "ft/s fps"],
];

const UNITS = new Map<string, KnownUnit>([
  ...Object.entries(LIBRARY).flatMap(([measure, units]) =>
    units.flatMap(([unit, names]) => named(names, { measure, unit, times: 1 })),
  ),
  ...OWN.flatMap(([measure, unit, times, names]) => named(names, { measure, unit, times })),
]);

/**
 * Returns the unit of a name, or null. Case matters where it tells units apart (`MB`, `Mbit`, `Mg`); names
 * in capitals (`KG`, `LBS`) and words (`Pounds`) are also known.
 */
export function unitNamed(name: string): KnownUnit | null {
  const text = name.trim().replace(/\s+/g, "_");
  const exact = UNITS.get(text);
  if (exact !== undefined) return exact;
  const folded =
    text === text.toUpperCase() || text.length > 4 ? UNITS.get(text.toLowerCase()) : null;
  return folded ?? null;
}

function named(names: string, unit: KnownUnit): [string, KnownUnit][] {
  return names.split(" ").map((name) => [name, unit]);
}
