import jsonata from "jsonata";
import * as z from "zod";
import { guardOf } from "./guards.ts";
import type { Meter } from "./meter.ts";

/** What a call costs besides what it goes through. */
const CALL_COST = 300;

const NAMES = [
  "sum count max min average string substring substringBefore substringAfter lowercase uppercase",
  "length trim pad match contains replace split join formatNumber formatBase formatInteger",
  "parseInteger number floor ceil round abs sqrt power boolean not map zip filter single reduce sift",
  "keys lookup append exists spread merge reverse each error assert type sort distinct",
  "base64encode base64decode encodeUrlComponent encodeUrl decodeUrlComponent decodeUrl toMillis",
  "fromMillis",
].flatMap((line) => line.split(" "));

/** A function as the library keeps it. */
const definition = z.looseObject({
  implementation: z.custom<(...args: unknown[]) => unknown>((value) => typeof value === "function"),
});
type Definition = z.infer<typeof definition>;

/** The library's functions by name; a variable of that name is how it hands them out. */
let builtIn: Promise<[string, Definition][]> | null = null;

/** The functions of JSONata, each of which pays for what it goes through and makes. */
export async function meteredFunctions(meter: Meter): Promise<{ [name: string]: Definition }> {
  builtIn ??= Promise.all(NAMES.map(lookUp));
  const known = await builtIn;
  return Object.fromEntries(known.map(([name, known]) => [name, metered(name, known, meter)]));
}

async function lookUp(name: string): Promise<[string, Definition]> {
  return [name, definition.parse(await jsonata(`$${name}`).evaluate(null))];
}

function metered(name: string, known: Definition, meter: Meter): Definition {
  const guard = guardOf(name);
  const { implementation } = known;
  async function paid(this: unknown, ...args: unknown[]): Promise<unknown> {
    meter.spend(CALL_COST);
    for (const arg of args) payFor(meter, arg);
    const made = await guard(() => Reflect.apply(implementation, this, args), args, meter);
    payFor(meter, made);
    return made;
  }
  // The library reads both: how many arguments a callback takes, and their names for `f(?, 1)`.
  Object.defineProperty(paid, "length", { value: implementation.length });
  Object.defineProperty(paid, "toString", { value: () => String(implementation) });
  return { ...known, implementation: paid };
}

function payFor(meter: Meter, value: unknown): void {
  const { elements } = meter.measure(value);
  meter.spend(typeof value === "string" ? value.length : elements);
}
