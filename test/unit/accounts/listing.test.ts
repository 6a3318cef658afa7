import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ListSources, listPage } from "../../../src/accounts/listing.ts";
import type { ExecutionPage, ListPosition, ListQuery } from "../../../src/contract/account.ts";
import type { ExecutionRow, ExecutionStatus } from "../../../src/contract/execution.ts";
import { executionRowExample } from "../../support/examples.ts";
import { START } from "../../support/execution.ts";

const queryOf = (limit: number, cursor: ListPosition | null = null): ListQuery => ({
  limit,
  cursor,
  statuses: [],
  origins: [],
  workflowId: null,
  createdAfter: null,
  createdBefore: null,
});

const active = (id: string, createdAt: number): Row => ({
  id,
  createdAt,
  status: "active",
  version: 1,
});

/** All pages; `between` happens after each of them. */
async function readAll(lists: Lists, limit: number, between?: () => void): Promise<ExecutionRow[]> {
  const rows: ExecutionRow[] = [];
  let cursor: ListPosition | null = null;
  do {
    const page: Awaited<ReturnType<typeof listPage>> = await listPage(
      queryOf(limit, cursor),
      lists,
    );
    expect(page.executions.length).toBeLessThanOrEqual(limit);
    rows.push(...page.executions);
    cursor = page.next;
    between?.();
  } while (cursor !== null);
  return rows;
}

const idsOf = (rows: ExecutionRow[]) => rows.map(({ executionId }) => executionId);

describe("a page of executions", () => {
  it("has no next page after the last row", async () => {
    const lists = new Lists();
    for (const row of [active("a", 1), active("b", 2)]) lists.accept(row);
    const { executions, next } = await listPage(queryOf(2), lists);
    expect(executions).toHaveLength(2);
    expect(next).toBeNull();
  });

  it("queries D1 once for a page that memory fills", async () => {
    const lists = new Lists();
    for (let n = 0; n < 50; n += 1) {
      lists.accept(active(`r${n}`, n));
      lists.project(`r${n}`);
    }
    expect(await readAll(lists, 5)).toHaveLength(50);
    expect(lists.asked).toBe(10);
  });

  it("skips unreadable stored rows", async () => {
    const lists = new Lists();
    for (let n = 0; n < 9; n += 1) {
      lists.accept(active(`r${n}`, n));
      lists.project(`r${n}`);
      lists.forget(`r${n}`);
      if (n >= 3) lists.unreadable.add(`r${n}`);
    }
    expect(idsOf(await readAll(lists, 2))).toEqual(["r2", "r1", "r0"]);
  });
});

const happening = fc.record({
  what: fc.constantFrom("accept", "change", "project", "forget"),
  pick: fc.nat(7),
  during: fc.boolean(),
});

it("lists each existing row exactly once, whatever changes between and within pages", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(4), { minLength: 3, maxLength: 12, size: "max" }),
      fc.array(happening, { minLength: 20, maxLength: 80, size: "max" }),
      fc.integer({ min: 1, max: 5 }),
      async (times, happenings, limit) => {
        const lists = new Lists();
        for (const [n, createdAt] of times.entries()) lists.accept(active(`r${n}`, createdAt));
        const there = [...lists.truth.keys()];
        const story = happenings.values();
        let ids = times.length;
        const happen = ({ what, pick }: { what: string; pick: number }) => {
          const id = `r${pick}`;
          if (what === "accept") lists.accept(active(`r${ids++}`, 100));
          // D1's answer is under way: what it has by then is remembered a while longer.
          else if (what === "project") lists.project(id);
          else if (what === "change") lists.change(id, "completed");
          else lists.forget(id);
        };
        const step = () => {
          for (let n = 0; n < 12; n += 1) {
            const next = story.next().value;
            if (next === undefined) return;
            if (!next.during) happen(next);
            // Forgetting what D1 got only just now is what the overlap in time rules out.
            else if (next.what !== "forget") lists.whileAsked = () => happen(next);
          }
        };
        step();
        const shown = idsOf(await readAll(lists, limit, step));
        expect(new Set(shown).size).toBe(shown.length);
        expect(there.filter((id) => !shown.includes(id))).toEqual([]);
      },
    ),
    { numRuns: 150 },
  );
});

const known = fc.record({
  createdAt: fc.nat(4),
  status: fc.constantFrom<ExecutionStatus>("active", "completed"),
  stored: fc.constantFrom<ExecutionStatus | null>(null, "active", "completed"),
  remembered: fc.boolean(),
});

it("filters and orders by the current state, even where D1 is stale", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(known, { maxLength: 30, size: "max" }),
      fc.constantFrom<ExecutionStatus[]>([], ["active"], ["completed"]),
      fc.integer({ min: 1, max: 4 }),
      async (rows, statuses, limit) => {
        const lists = new Lists();
        lists.statuses = statuses;
        const now = rows.flatMap(({ createdAt, status, stored, remembered }, n) => {
          const row: Row = { id: `r${n}`, createdAt, status, version: 2 };
          if (remembered) lists.accept(row);
          if (stored !== null) lists.stored.set(row.id, { ...row, status: stored, version: 1 });
          if (remembered) return [row];
          return stored === null ? [] : [{ ...row, status: stored }];
        });
        const expected = now
          .filter(({ status }) => statuses.length === 0 || statuses.includes(status))
          .sort(newestFirst)
          .map(({ id }) => id);
        expect(idsOf(await readAll(lists, limit))).toEqual(expected);
      },
    ),
    { numRuns: 150 },
  );
});

interface Row {
  id: string;
  createdAt: number;
  status: ExecutionStatus;
  version: number;
}

function rowOf({ id, createdAt, status, version }: Row): ExecutionRow {
  return {
    ...executionRowExample,
    executionId: id,
    status,
    version,
    createdAt: new Date(START + createdAt).toISOString(),
  };
}

const before = (row: Row, position: ListPosition | null) =>
  position === null ||
  START + row.createdAt < position.createdAt ||
  (START + row.createdAt === position.createdAt && row.id < position.executionId);

const newestFirst = (a: Row, b: Row) => b.createdAt - a.createdAt || (a.id < b.id ? 1 : -1);

const placeOf = ({ createdAt, executionId }: ExecutionRow): ListPosition => ({
  createdAt: Date.parse(createdAt),
  executionId,
});

/** An account with what it remembers, and the D1 that follows it. `whileAsked` happens before D1 answers. */
class Lists implements ListSources {
  readonly truth = new Map<string, Row>();
  readonly remembered = new Set<string>();
  readonly stored = new Map<string, Row>();
  /** What D1 has of these cannot be read. */
  readonly unreadable = new Set<string>();
  /** How often D1 was asked. */
  asked = 0;
  statuses: ExecutionStatus[] = [];
  whileAsked: (() => void) | null = null;

  accept(row: Row): void {
    this.truth.set(row.id, row);
    this.remembered.add(row.id);
  }

  /** The execution moves on; the account hears of it first. */
  change(id: string, status: ExecutionStatus): void {
    const row = this.truth.get(id);
    if (row !== undefined) this.accept({ ...row, status, version: row.version + 1 });
  }

  /** D1 gets the row; the account still remembers it. */
  project(id: string): void {
    const row = this.truth.get(id);
    if (row !== undefined) this.stored.set(id, row);
  }

  /** The account drops a row that D1 has. */
  forget(id: string): void {
    if (this.stored.get(id)?.version === this.truth.get(id)?.version) this.remembered.delete(id);
  }

  pending(query: ListQuery, limit: number): ExecutionRow[] {
    return this.#select(this.#remembered(), query.cursor, limit);
  }

  pendingAmong(ids: readonly string[]): Set<string> {
    return new Set(ids.filter((id) => this.remembered.has(id)));
  }

  async confirmed(position: ListPosition | null, limit: number): Promise<ExecutionPage> {
    this.asked += 1;
    const found = this.#select([...this.stored.values()], position, limit);
    this.whileAsked?.();
    this.whileAsked = null;
    const last = found.length < limit ? undefined : found.at(-1);
    return {
      executions: found.filter(({ executionId }) => !this.unreadable.has(executionId)),
      next: last === undefined ? null : placeOf(last),
    };
  }

  #remembered(): Row[] {
    return [...this.truth.values()].filter(({ id }) => this.remembered.has(id));
  }

  #select(rows: Row[], position: ListPosition | null, limit: number): ExecutionRow[] {
    const passes = ({ status }: Row) =>
      this.statuses.length === 0 || this.statuses.includes(status);
    return rows
      .filter((row) => passes(row) && before(row, position))
      .sort(newestFirst)
      .slice(0, limit)
      .map(rowOf);
  }
}
