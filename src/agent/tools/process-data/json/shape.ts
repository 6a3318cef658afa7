import type { Json } from "../../../../contract/json.ts";

/** Whether lists and objects nest at most `most` deep. Walks level by level, so depth costs no stack. */
export function isWithinDepth(value: Json, most: number): boolean {
  let level = [value];
  for (let depth = 0; depth <= most; depth++) {
    level = level.flatMap(childrenOf).filter((child) => typeof child === "object");
    if (level.length === 0) return true;
  }
  return false;
}

/** Every text inside a value of bounded depth, in document order. */
export function textsIn(value: Json): string[] {
  if (typeof value === "string") return [value];
  return childrenOf(value).flatMap(textsIn);
}

/** The elements of a list or the values of an object; none for anything else. */
export function childrenOf(value: Json): Json[] {
  if (typeof value !== "object" || value === null) return [];
  return Array.isArray(value) ? value : Object.values(value);
}
