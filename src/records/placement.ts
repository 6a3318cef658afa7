import { CONTROL_DATABASE, type Placement } from "../contract/placement.ts";
import { idsFrom } from "../lib/execution-id.ts";

/** The rows of executions that are created from now on go to a new database only after this time. */
const NOTICE_MS = 60_000;
/** The least time between two placements of an account, so that full databases are not taken in turns. */
const SETTLED_MS = 86_400_000;
/** An id after all others. */
const AFTER_ALL = "g";

/** Ids from `from` on, before `until`. */
export interface IdRange {
  from: string;
  until: string;
}

/** A range of ids whose rows are in one database. */
export interface Stretch extends IdRange {
  database: string;
}

export const ALL_IDS: IdRange = { from: "", until: AFTER_ALL };

/** What the choice of a database depends on. */
interface Choice {
  /** The databases for new rows. */
  databases: readonly string[];
  /** Epoch milliseconds. */
  now: number;
  /** In [0, 1). */
  random: number;
}

/** Returns the placements of a new account; none means that its rows are with the control rows. */
export function firstPlacements({ databases, random }: Omit<Choice, "now">): Placement[] {
  const database = pick(databases, random);
  return database === undefined || database === CONTROL_DATABASE ? [] : [{ database, since: 0 }];
}

/**
 * Returns the next placement of an account whose database is full, or no longer takes new rows, or null to
 * stay. Rows stay where they are: their ids tell which placement they belong to.
 */
export function nextPlacement(
  placements: readonly Placement[],
  { databases, now, random }: Choice,
  isFull: boolean,
): Placement | null {
  const { database: current, since } = placements.at(-1) ?? {
    database: CONTROL_DATABASE,
    since: 0,
  };
  if (since > now - SETTLED_MS) return null;
  if (databases.includes(current) && !isFull) return null;
  const database = pick(
    databases.filter((each) => each !== current),
    random,
  );
  // In the future: no row of such an id is anywhere yet.
  return database === undefined ? null : { database, since: now + NOTICE_MS };
}

/** Returns the stretches of a range of ids by their databases, the newest first. */
export function stretchesOf(placements: readonly Placement[], range = ALL_IDS): Stretch[] {
  const all = placements[0]?.since === 0 ? placements : [START, ...placements];
  const starts = all.map(({ since }) => (since === 0 ? "" : idsFrom(since)));
  const stretches = all.map(({ database }, at) => {
    const [, from = ""] = [starts[at] ?? "", range.from].sort();
    const [until = AFTER_ALL] = [starts[at + 1] ?? AFTER_ALL, range.until].sort();
    return { database, from, until };
  });
  return stretches.filter(({ from, until }) => from < until).reverse();
}

/** Returns the binding of the database that has an execution's row. */
export function databaseOf(placements: readonly Placement[], executionId: string): string {
  const stretch = stretchesOf(placements).find(({ from }) => executionId >= from);
  return stretch?.database ?? CONTROL_DATABASE;
}

const START: Placement = { database: CONTROL_DATABASE, since: 0 };

function pick(databases: readonly string[], random: number): string | undefined {
  return databases[Math.floor(random * databases.length)];
}
