/** Epoch seconds stay below this until the year 5138; as milliseconds it is a day of 1973. */
const FIRST_MILLISECONDS = 100_000_000_000;

/** A number of the epoch in milliseconds, whether it counts seconds or milliseconds: its size tells. */
export function epochMilliseconds(number: number): number {
  return Math.abs(number) < FIRST_MILLISECONDS ? number * 1_000 : number;
}
