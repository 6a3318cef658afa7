import type { Json } from "../../contract/json.ts";

/** Whether a value has at most so many characters of text and values, counted no further than that. */
export function isWithin(value: Json, most: number): boolean {
  return left(value, most) >= 0;
}

function left(value: Json, room: number): number {
  if (room < 0) return room;
  if (typeof value === "string") return room - value.length - 1;
  if (value === null || typeof value !== "object") return room - 1;
  let rest = room - 1;
  for (const [name, member] of Object.entries(value)) {
    rest = left(member, rest - (Array.isArray(value) ? 0 : name.length));
    if (rest < 0) return rest;
  }
  return rest;
}
