import { Unaffordable } from "../work-budget.ts";
import type { Meter } from "./meter.ts";

/** Splitting text into a list of its characters. */
const CHARACTER_COST = 8;
const COMPARISON_COST = 50;
/** Writing a value out, for each unit of its size. */
const WRITING_COST = 2;
/** References to groups in a replacement. */
const MAX_REFERENCES = 1_000;
/** The picture of a date or number. */
const MAX_PICTURE_LENGTH = 200;
/** A picture that reads text becomes a pattern that can backtrack, so it reads short text only. */
const MAX_MARKERS = 9;
const MAX_DATED_LENGTH = 40;

/** Runs one call of a built-in function within limits of its own. */
type Guard = (run: () => unknown, args: unknown[], meter: Meter) => unknown;

const GUARDS = new Map<string, Guard>([
  ["substring", byCharacter],
  ["length", byCharacter],
  ["pad", pad],
  ["join", join],
  ["replace", replace],
  ["string", string],
  ["sort", sort],
  ["distinct", distinct],
  ["formatNumber", formatNumber],
  ["formatInteger", formatted],
  ["fromMillis", formatted],
  ["toMillis", dated],
  ["parseInteger", parsed],
  ["base64encode", (_, [text]) => (typeof text === "string" ? btoa(text) : undefined)],
  ["base64decode", (_, [text]) => (typeof text === "string" ? atob(text) : undefined)],
]);

/** Returns the guard of a function; most need none besides the charge for their arguments. */
export function guardOf(name: string): Guard {
  return GUARDS.get(name) ?? ((run) => run());
}

function byCharacter(run: () => unknown, [text]: unknown[], meter: Meter): unknown {
  meter.spend(textLength(text) * CHARACTER_COST);
  return run();
}

function pad(run: () => unknown, [text, width, filler]: unknown[], meter: Meter): unknown {
  const characters = Math.abs(Number(width)) * Math.max(1, textLength(filler));
  meter.spend((textLength(text) + characters) * CHARACTER_COST);
  return run();
}

function join(run: () => unknown, [list, separator]: unknown[], meter: Meter): unknown {
  const texts = Array.isArray(list) ? list : [list];
  const length = texts.reduce((sum, text) => sum + textLength(text) + textLength(separator), 0);
  meter.spend(length);
  return run();
}

async function replace(run: () => unknown, args: unknown[], meter: Meter): Promise<unknown> {
  const [text, pattern, replacement] = args;
  if (typeof replacement !== "string") return run();
  if (typeof pattern === "string" && typeof text === "string") {
    const matches = pattern === "" ? 0 : text.split(pattern).length - 1;
    meter.spend(matches * replacement.length);
    return run();
  }
  const references = replacement.split("$").length - 1;
  if (references > MAX_REFERENCES) throw new Unaffordable("refers to too many groups in $replace");
  const cost = replacement.length + references * CHARACTER_COST;
  meter.matchCost += cost;
  try {
    return await run();
  } finally {
    meter.matchCost -= cost;
  }
}

function string(run: () => unknown, [value]: unknown[], meter: Meter): unknown {
  meter.spend(meter.measure(value).size * WRITING_COST);
  return run();
}

function sort(run: () => unknown, [list]: unknown[], meter: Meter): unknown {
  const length = Array.isArray(list) ? list.length : 1;
  meter.spend(length * Math.ceil(Math.log2(length + 1)) * COMPARISON_COST);
  return run();
}

/** Charges for the comparison of each element with all kept ones. */
function distinct(run: () => unknown, [list]: unknown[], meter: Meter): unknown {
  const length = Array.isArray(list) ? list.length : 1;
  meter.spend((meter.measure(list).size * length) / 16);
  return run();
}

function formatNumber(run: () => unknown, [, picture, options]: unknown[]): unknown {
  const signs = typeof options === "object" && options !== null ? Object.values(options) : [];
  const odd = signs.some((sign) => textLength(sign) < 1 || textLength(sign) > 20);
  if (odd)
    throw new Unaffordable(
      "gives $formatNumber a sign with fewer than 1 or more than 20 characters",
    );
  refuseLong(picture);
  return run();
}

function formatted(run: () => unknown, [, picture]: unknown[]): unknown {
  refuseLong(picture);
  return run();
}

function parsed(run: () => unknown, [text, picture]: unknown[]): unknown {
  if (typeof picture !== "string") return run();
  refuseLong(picture);
  if (picture.split("[").length - 1 > MAX_MARKERS) {
    throw new Unaffordable(`reads text by a picture of more than ${MAX_MARKERS} parts`);
  }
  if (textLength(text) > MAX_DATED_LENGTH) {
    throw new Unaffordable(`reads more than ${MAX_DATED_LENGTH} characters by a picture`);
  }
  return run();
}

/** Refuses pictures without a year, since the library takes larger missing units from today. */
function dated(run: () => unknown, args: unknown[]): unknown {
  const [, picture] = args;
  if (typeof picture === "string" && !/\[\s*Y/.test(picture)) {
    throw new Unaffordable("reads a date by a picture without a year, which changes with the day");
  }
  return parsed(run, args);
}

function refuseLong(picture: unknown): void {
  if (textLength(picture) > MAX_PICTURE_LENGTH) {
    throw new Unaffordable(`has a picture of more than ${MAX_PICTURE_LENGTH} characters`);
  }
}

const textLength = (value: unknown): number => (typeof value === "string" ? value.length : 0);
