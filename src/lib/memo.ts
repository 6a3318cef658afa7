import { Recent } from "./recent.ts";

/**
 * `make` with a memory of `most` answers; the one that was not asked for the longest is forgotten first.
 * For pure functions of a text that is seen again and again, such as parsing a setting.
 */
export function memo<T>(most: number, make: (text: string) => T): (text: string) => T {
  const known = new Recent<{ made: T }>(most);
  return (text) => {
    const hit = known.get(text);
    if (hit) return hit.made;
    const made = make(text);
    known.set(text, { made });
    return made;
  };
}
