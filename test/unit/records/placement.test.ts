import fc from "fast-check";
import { v7 as uuidv7 } from "uuid";
import { describe, expect, it } from "vitest";
import type { Placement } from "../../../src/contract/placement.ts";
import {
  databaseOf,
  firstPlacements,
  nextPlacement,
  stretchesOf,
} from "../../../src/records/placement.ts";

const NOW = 1_700_000_000_000;
const DAY_MS = 86_400_000;
const idAt = (at: number) => uuidv7({ msecs: at });
const choice = (databases: string[], random = 0) => ({ databases, random, now: NOW });

describe("the rows of a new account", () => {
  it("are with the control rows without another database, and nothing is stored", () => {
    expect(firstPlacements(choice(["DB"]))).toEqual([]);
    expect(databaseOf([], idAt(NOW))).toBe("DB");
  });

  it("are in one of the databases for rows", () => {
    const databases = ["RECORDS_0", "RECORDS_1", "RECORDS_2"];
    const chosen = [0, 0.5, 0.99].map((random) => firstPlacements(choice(databases, random)));
    expect(chosen.flat().map(({ database }) => database)).toEqual(databases);
    for (const placements of chosen) expect(placements[0]?.since).toBe(0);
  });
});

describe("the rows of later executions", () => {
  const here: Placement[] = [{ database: "RECORDS_0", since: 0 }];

  it("stay in a database with room", () => {
    expect(nextPlacement(here, choice(["RECORDS_0", "RECORDS_1"]), false)).toBeNull();
    expect(nextPlacement([], choice(["DB"]), false)).toBeNull();
    // There is no other.
    expect(nextPlacement(here, choice(["RECORDS_0"]), true)).toBeNull();
  });

  it("move to another database a minute after theirs is full", () => {
    const next = nextPlacement(here, choice(["RECORDS_0", "RECORDS_1"], 0.99), true);
    expect(next).toEqual({ database: "RECORDS_1", since: NOW + 60_000 });
  });

  it("leave the control database as soon as there are databases for rows", () => {
    const next = nextPlacement([], choice(["RECORDS_0"]), false);
    expect(next?.database).toBe("RECORDS_0");
  });

  it("do not rotate if all are full", () => {
    const moved = [...here, { database: "RECORDS_1", since: NOW - DAY_MS + 1 }];
    expect(nextPlacement(moved, choice(["RECORDS_0", "RECORDS_1"]), true)).toBeNull();
  });
});

it("puts every id in one range, that of the placement at its time", () => {
  const database = fc.constantFrom("DB", "RECORDS_0", "RECORDS_1");
  const times = fc.uniqueArray(fc.integer({ min: 1, max: 2_000 }), { maxLength: 5 });
  fc.assert(
    fc.property(
      times,
      fc.boolean(),
      fc.array(database, { minLength: 6, maxLength: 6 }),
      (sinces, first, names) => {
        const placements = [...(first ? [0] : []), ...sinces.sort((a, b) => a - b)].map(
          (since, at) => ({ database: names[at] ?? "", since }),
        );
        for (const at of [0, 1, 2, 500, 1_000, 1_999, 2_000, 9_999]) {
          const id = idAt(at);
          const holding = stretchesOf(placements).filter(
            ({ from, until }) => id >= from && id < until,
          );
          const expected = placements.findLast(({ since }) => since <= at)?.database ?? "DB";
          expect(holding.map((stretch) => stretch.database)).toEqual([expected]);
          expect(databaseOf(placements, id)).toBe(expected);
        }
      },
    ),
  );
});

it("lists the ranges for an interval of ids, newest first", () => {
  const placements = [
    { database: "RECORDS_0", since: 1_000 },
    { database: "RECORDS_1", since: 2_000 },
  ];
  const range = { from: idAt(1_500), until: idAt(3_000) };
  expect(stretchesOf(placements, range).map(({ database }) => database)).toEqual([
    "RECORDS_1",
    "RECORDS_0",
  ]);
  expect(stretchesOf(placements, range).at(-1)?.from).toBe(range.from);
  expect(stretchesOf(placements, range)[0]?.until).toBe(range.until);
});
