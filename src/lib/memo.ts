/**
 * `make` with a memory of its latest `most` answers, the oldest forgotten first. For pure functions of
 * a text that is seen again and again, such as parsing a setting.
 */
export function memo<T>(most: number, make: (text: string) => T): (text: string) => T {
  const known = new Map<string, { made: T }>();
  return (text) => {
    const hit = known.get(text);
    if (hit) return hit.made;
    const made = make(text);
    known.set(text, { made });
    if (known.size > most) forgetOldest(known);
    return made;
  };
}

function forgetOldest(known: Map<string, unknown>): void {
  for (const text of known.keys()) {
    known.delete(text);
    return;
  }
}
