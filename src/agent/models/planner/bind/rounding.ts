import type { Scan } from "./scan.ts";

/** Reads "rounded to 2 decimals", "to the nearest integer". */
export function readRounding(scan: Scan): void {
  const places = scan.take(
    /\b(?:round(?:ed|ing)?(?: (?:it|them|that|the \w+|off|up))? ?,? )?(?:to|with|at|using) (\d|one) (?:decimals?|decimal (?:places?|points?)|digits after the \w+)\b/,
  );
  if (places !== null) scan.query.decimals = places[1] === "one" ? 1 : Number(places[1]);
  const whole = scan.take(
    /\bround(?:ed|ing)?(?: (?:it|them|that|the \w+|off))?(?: to)?(?: (?:the |a )?(?:nearest )?(?:integers?|whole numbers?|units?|number|dollar|euro))?(?= |$)|\bas (?:an? )?(?:integer|whole number)\b|\bwithout decimals\b/,
  );
  if (whole !== null && places === null) scan.query.decimals = 0;
}
