import { v7 as uuidv7 } from "uuid";
import { beforeAll, describe, expect, it } from "vitest";
import type { ExecutionPage, ListPosition } from "../../../src/contract/account.ts";
import type { ExecutionRow, ExecutionStatus } from "../../../src/contract/execution.ts";
import {
  countExecutions,
  type ExecutionCount,
  selectExecutions,
  upsertExecutions,
} from "../../../src/records/executions.ts";
import { stretchesOf } from "../../../src/records/placement.ts";
import { executionRowExample } from "../../support/examples.ts";
import { env, everything } from "../../support/worker/objects.ts";

const DAY_MS = 86_400_000;
const FROM = Date.parse("2026-03-28T00:00:00.000Z");
const range = { from: FROM, to: FROM + 3 * DAY_MS, bucketMs: DAY_MS };
const ACCOUNT = "acc_counted";
const UNPLACED = { accountId: ACCOUNT, placements: [] };

const rowAt = (at: number, status: ExecutionStatus, creditsConsumed: number): ExecutionRow => ({
  ...executionRowExample,
  executionId: uuidv7({ msecs: at }),
  status,
  creditsConsumed,
  createdAt: new Date(at).toISOString(),
});

const rows = [
  rowAt(FROM - 1, "completed", 100),
  rowAt(FROM, "completed", 1),
  rowAt(FROM + DAY_MS - 1, "completed", 2),
  rowAt(FROM + DAY_MS - 1, "failed", 4),
  rowAt(FROM + DAY_MS, "completed", 8),
  rowAt(FROM + 3 * DAY_MS - 1, "active", 0),
  rowAt(FROM + 3 * DAY_MS, "active", 100),
];

beforeAll(async () => {
  await upsertExecutions(env.DB, ACCOUNT, rows);
  await upsertExecutions(env.DB, "acc_other", [rowAt(FROM, "completed", 1_000)]);
});

const count = (most = 1_000) => countExecutions(env, UNPLACED, range, { most });

describe("the executions of an account, counted", () => {
  it("are grouped by the day of creation and the status", async () => {
    const { countedFrom, counts } = await count();
    expect(countedFrom).toBe(FROM);
    const each = counts.map(({ start, status, executions, creditsConsumed }) => [
      (start - FROM) / DAY_MS,
      status,
      executions,
      creditsConsumed,
    ]);
    expect(each).toEqual([
      [0, "completed", 2, 3],
      [0, "failed", 1, 4],
      [1, "completed", 1, 8],
      [2, "active", 1, 0],
    ]);
  });

  it("are the newest ones above the limit, from after the first omitted one", async () => {
    const { countedFrom, counts } = await count(2);
    expect(countedFrom).toBe(FROM + DAY_MS);
    expect(counts.map(({ executions }) => executions)).toEqual([1, 1]);
    expect((await count(5)).countedFrom).toBe(FROM);
  });

  it("are zero from the start of the range, for an account without executions", async () => {
    const nobody = { accountId: "acc_nobody", placements: [] };
    const none = await countExecutions(env, nobody, range, { most: 5 });
    expect(none).toEqual({ countedFrom: FROM, counts: [] });
  });
});

describe("the executions of an account whose rows moved to another database and back", () => {
  const placements = [
    { database: "DB", since: 0 },
    { database: "SPARE", since: FROM + DAY_MS },
    { database: "DB", since: FROM + 2 * DAY_MS },
  ];
  const account = { accountId: "acc_moved", placements };

  beforeAll(async () => {
    const inSpare = ({ executionId }: ExecutionRow) =>
      stretchesOf(placements).some(
        ({ database, from, until }) =>
          database === "SPARE" && executionId >= from && executionId < until,
      );
    const { spare = [], other = [] } = Object.groupBy(rows, (row) =>
      inSpare(row) ? "spare" : "other",
    );
    expect(spare).toHaveLength(1);
    await upsertExecutions(env.SPARE, account.accountId, spare);
    await upsertExecutions(env.DB, account.accountId, other);
  });

  const ids = rows.map(({ executionId }) => executionId);

  it("are listed as from one database, page by page", async () => {
    for (const limit of [1, 2, 3, 7, 20]) {
      const seen: string[] = [];
      let position: ListPosition | null = null;
      do {
        const page: ExecutionPage = await selectExecutions(
          env,
          account,
          everything,
          position,
          limit,
        );
        seen.push(...page.executions.map(({ executionId }) => executionId));
        position = page.next;
      } while (position !== null);
      expect(seen).toEqual(ids.toSorted().toReversed());
    }
  });

  it("are counted as from one database", async () => {
    for (const most of [1, 2, 3, 4, 1_000]) {
      const whole = await countExecutions(env, UNPLACED, range, { most });
      const parts = await countExecutions(env, account, range, { most });
      expect(parts.countedFrom).toBe(whole.countedFrom);
      const plain = (counts: ExecutionCount[]) =>
        counts
          .map(({ start, status, executions }) => ({ start, status, executions }))
          .sort((a, b) => a.start - b.start || a.status.localeCompare(b.status));
      expect(plain(parts.counts)).toEqual(plain(whole.counts));
    }
  });
});
