import type { PayloadValue } from "../contract/inbound/payload.ts";

const EPOCH = /^\d{1,15}(?:\.\d{1,9})?$/;
/** ISO 8601, extended, with a time of day; without an offset it is taken as UTC. */
const ISO =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?)([Zz]|[+-]\d{2}(?::?\d{2})?)?$/;

/** A moment as senders write it, in epoch milliseconds; null for what is none. */
export function readInstant(value: PayloadValue): number | null {
  if (typeof value === "number" || typeof value === "bigint") return ofEpoch(Number(value));
  if (typeof value !== "string") return null;
  const text = value.trim();
  return EPOCH.test(text) ? ofEpoch(Number(text)) : ofIso(text);
}

function ofEpoch(number: number): number | null {
  if (!Number.isFinite(number) || number < 0) return null;
  return Math.round(epochMilliseconds(number));
}

function ofIso(text: string): number | null {
  const [, date, time, offset = "Z"] = ISO.exec(text) ?? [];
  if (date === undefined || time === undefined) return null;
  const moment = Date.parse(`${date}T${time.replace(",", ".")}${extended(offset)}`);
  return Number.isNaN(moment) ? null : moment;
}

/** `+0200` and `+02` as `+02:00`, the one form that every parser of dates must know. */
function extended(offset: string): string {
  if (/^z$/i.test(offset)) return "Z";
  const hours = offset.slice(0, 3);
  const minutes = offset.slice(3).replace(":", "");
  return `${hours}:${minutes === "" ? "00" : minutes}`;
}

/** Epoch seconds stay below this until the year 5138; as milliseconds it is a day of 1973. */
const FIRST_MILLISECONDS = 100_000_000_000;

/** A number of the epoch in milliseconds, whether it counts seconds or milliseconds: its size tells. */
export function epochMilliseconds(number: number): number {
  return Math.abs(number) < FIRST_MILLISECONDS ? number * 1_000 : number;
}
