/** What happened when a column was looked up. */
export type ColumnMatch = { ok: true; index: number } | { ok: false; message: string };

/** Names shown in a message at most. */
const NAMES_SHOWN = 30;

/** A name as it is compared: without case, spaces, `_` and `-`. */
export function normaliseName(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[\s_-]+/g, "");
}

/**
 * Finds a column by its name: as written, else normalised, else in its simple singular or plural,
 * else as the only one that starts so. The message of a failure lists the columns there are.
 */
export function findColumn(columns: readonly string[], wanted: string): ColumnMatch {
  const written = columns.indexOf(wanted);
  if (written >= 0) return { ok: true, index: written };

  const name = normaliseName(wanted);
  const names = columns.map(normaliseName);
  if (name === "") return missing(columns, wanted);
  const same = names.indexOf(name);
  if (same >= 0) return { ok: true, index: same };
  const singular = names.map(withoutPlural).indexOf(withoutPlural(name));
  if (singular >= 0) return { ok: true, index: singular };

  const starting = names.flatMap((candidate, index) => (candidate.startsWith(name) ? [index] : []));
  const [only, ...others] = starting;
  if (only === undefined) return missing(columns, wanted);
  if (others.length === 0) return { ok: true, index: only };
  const meant = listed(starting.map((index) => columns[index] ?? ""));
  return { ok: false, message: `"${wanted}" could be any of the columns ${meant}.` };
}

/** Names in quotes, the first ones when there are many. */
export function listed(names: readonly string[]): string {
  const shown = names.slice(0, NAMES_SHOWN).map((name) => `"${name}"`);
  const more = names.length - shown.length;
  return shown.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function missing(columns: readonly string[], wanted: string): ColumnMatch {
  const there = columns.length === 0 ? "There are no columns." : `Columns: ${listed(columns)}.`;
  return { ok: false, message: `There is no column "${wanted}". ${there}` };
}

function withoutPlural(name: string): string {
  if (name.length > 4 && name.endsWith("ies")) return `${name.slice(0, -3)}y`;
  return name.length > 2 && name.endsWith("s") && !name.endsWith("ss") ? name.slice(0, -1) : name;
}
