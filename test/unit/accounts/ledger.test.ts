import fc from "fast-check";
import { v7 as uuidv7 } from "uuid";
import { describe, expect, it } from "vitest";
import { Ledger } from "../../../src/accounts/ledger.ts";
import { RowOutbox } from "../../../src/accounts/outbox.ts";
import { PendingStarts } from "../../../src/accounts/pending-starts.ts";
import { ACCOUNT_SCHEMA } from "../../../src/accounts/schema.ts";
import type { ExecutionRow } from "../../../src/contract/execution.ts";
import { migrate } from "../../../src/durable/schema.ts";
import { executionIdOf } from "../../../src/lib/execution-id.ts";
import { executionRowExample } from "../../support/examples.ts";
import { seedOf } from "../../support/execution.ts";
import { tableStorage } from "../../support/table-storage.ts";

const NOW = 1_700_000_000_000;
const CREDITS = 100;
const MINUTE_MS = 60_000;
/** When every row is due in D1. */
const LATER = NOW + MINUTE_MS;

/** The ledger of an account with credits, over a storage that a restart leaves. */
function openAccount() {
  const storage = tableStorage();
  const open = () => {
    migrate(storage, ACCOUNT_SCHEMA);
    const outbox = new RowOutbox(storage.sql);
    const starts = new PendingStarts(storage);
    return { outbox, starts, ledger: new Ledger(storage, starts, outbox) };
  };
  const account = {
    ...open(),
    open,
    restart: () => {
      Object.assign(account, open());
    },
  };
  account.ledger.create({ accountId: "acc_1", name: "test", requestsPerMinute: 60 }, NOW);
  account.ledger.grant("first", CREDITS, "First credits", NOW);
  return account;
}
type Account = ReturnType<typeof openAccount>;

const { executionId: _, accountId: __, createdAt: ___, ...example } = seedOf();
const draft = { ...example, maxCredits: 10 };

const triggered = (n: number) => uuidv7({ msecs: NOW + n, seq: n });
const promised = (n: number) =>
  executionIdOf(
    "ep_0123456789abcdef",
    { at: NOW + n, place: n },
    { slot: n, random: Uint8Array.of(n, n) },
  );
const rowOf = (executionId: string, changes: Partial<ExecutionRow> = {}): ExecutionRow => ({
  ...executionRowExample,
  executionId,
  ...changes,
});
const end = (account: Account, executionId: string, used: number, now = NOW) =>
  account.ledger.report({ row: rowOf(executionId, { version: 9 }), settle: used }, now);

/** Notes that D1 has every row. */
function project({ outbox }: Account, now = NOW): void {
  const rows = outbox.pending(100, LATER);
  outbox.confirm(
    rows.map(({ executionId, version }) => ({ executionId, version })),
    now,
  );
}

function forget({ outbox, ledger }: Account, now = NOW + 2 * MINUTE_MS): void {
  ledger.forget(outbox.takeConfirmed(now), now);
}

const idsIn = ({ outbox }: Account) =>
  outbox.pending(100, LATER).map(({ executionId }) => executionId);

type Step =
  | { kind: "accept" | "promise"; n: number }
  | { kind: "report"; n: number; version: number; used: number | null }
  | { kind: "project" | "forget" | "restart" };

const n = fc.integer({ min: 0, max: 5 });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constantFrom("accept" as const, "promise" as const), n }),
    fc.record({
      kind: fc.constant("report" as const),
      n,
      version: fc.integer({ min: 1, max: 4 }),
      used: fc.option(fc.integer({ min: 0, max: 12 })),
    }),
    fc.record({ kind: fc.constantFrom("project" as const, "forget" as const, "restart" as const) }),
  ),
  { maxLength: 40 },
);

function apply(account: Account, step: Step, now: number): void {
  switch (step.kind) {
    case "accept":
      if (account.ledger.repeat(null, triggered(step.n), true).kind === "new")
        account.ledger.accept(draft, null, { now, executionId: triggered(step.n) });
      return;
    case "promise":
      account.ledger.acceptBatch([{ executionId: promised(step.n), draft }], now);
      return;
    case "report":
      for (const executionId of [triggered(step.n), promised(step.n)]) {
        const row = rowOf(executionId, { version: step.version });
        account.ledger.report({ row, settle: step.used }, now);
      }
      return;
    case "project":
      project(account, now);
      return;
    case "forget":
      forget(account, now);
      return;
    case "restart":
      account.restart();
  }
}

describe("a process that dies", () => {
  it("changes no balance, hold or count, wherever it happens", () => {
    fc.assert(
      fc.property(steps, (all) => {
        const account = openAccount();
        for (const [at, step] of all.entries()) {
          apply(account, step, NOW + at * MINUTE_MS);
          const { credits, live } = stateOf(account);
          expect(stateOf(account.open())).toEqual({ credits, live });
          expect(credits.availableCredits + credits.reservedCredits + credits.consumedCredits).toBe(
            CREDITS,
          );
        }
      }),
      { numRuns: 50 },
    );
  });

  it("restarts only executions that never reported", () => {
    const account = openAccount();
    const [waiting, running] = [triggered(1), triggered(2)];
    for (const executionId of [waiting, running])
      account.ledger.accept(draft, null, { now: NOW, executionId });
    for (const executionId of [waiting, running]) account.starts.started(executionId);
    account.ledger.report({ row: rowOf(running, { version: 2 }), settle: null }, NOW);
    expect(account.starts.ids()).toEqual([]);
    account.restart();
    expect(account.starts.ids()).toEqual([waiting]);
    expect(account.starts.get(waiting)).toMatchObject({ executionId: waiting });
    expect(account.starts.get(running)).toBeNull();
  });

  it("projects again only ended executions that D1 lacks", () => {
    const account = openAccount();
    const [open, ended] = [triggered(1), triggered(2)];
    for (const executionId of [open, ended])
      account.ledger.accept(draft, null, { now: NOW, executionId });
    end(account, ended, 1);
    project(account);
    expect(idsIn(account)).toEqual([]);
    account.restart();
    expect(idsIn(account)).toEqual([ended]);
  });
});

function stateOf({ ledger }: Pick<Account, "ledger">) {
  return { credits: ledger.credits(), live: ledger.live };
}

it("keeps the newest row of an execution whose reports arrive out of order", () => {
  const account = openAccount();
  const executionId = triggered(1);
  account.ledger.accept(draft, null, { now: NOW, executionId });
  end(account, executionId, 4);
  account.ledger.report({ row: rowOf(executionId, { version: 2 }), settle: null }, NOW);
  expect(account.outbox.pending(1, NOW)).toMatchObject([{ executionId, version: 9 }]);
});

it("delays the row of a running execution, so that D1 writes most rows once", () => {
  const account = openAccount();
  const [quick, slow] = [triggered(1), triggered(2)];
  for (const executionId of [quick, slow])
    account.ledger.accept(draft, null, { now: NOW, executionId });
  expect(account.outbox.pending(2, NOW)).toEqual([]);
  end(account, quick, 4);
  expect(account.outbox.pending(2, NOW)).toMatchObject([{ executionId: quick, version: 9 }]);
  const due = account.outbox.dueWithin({ from: slow, until: triggered(3) }) ?? 0;
  account.ledger.report({ row: rowOf(slow, { version: 2 }), settle: null }, due - 1);
  expect(account.outbox.pending(2, due)).toMatchObject([{ version: 9 }, { version: 2 }]);
});

describe("an execution that has ended", () => {
  it("leaves the account a minute after its end, once D1 has its row", () => {
    const account = openAccount();
    const executionId = triggered(1);
    account.ledger.accept(draft, null, { now: NOW, executionId });
    end(account, executionId, 4);
    // Neither a repeated report nor a newer one settles anything again.
    end(account, executionId, 9);
    account.ledger.report({ row: rowOf(executionId, { version: 11 }), settle: 9 }, NOW);
    forget(account);
    expect(account.outbox.among([executionId]).size).toBe(1);
    project(account);
    forget(account, NOW + MINUTE_MS - 1);
    expect(account.outbox.among([executionId]).size).toBe(1);
    forget(account, NOW + MINUTE_MS);
    expect(account.outbox.among([executionId]).size).toBe(0);
    // A report that is repeated settles nothing again.
    end(account, executionId, 9);
    expect(account.ledger.credits()).toMatchObject({ availableCredits: 96, consumedCredits: 4 });
  });

  it("stays while a list that began before D1 had its row is read", async () => {
    const account = openAccount();
    const executionId = triggered(1);
    account.ledger.accept(draft, null, { now: NOW, executionId });
    end(account, executionId, 4);
    await account.outbox.whileListing(NOW, async () => {
      project(account);
      forget(account);
      expect(account.outbox.among([executionId]).size).toBe(1);
    });
    forget(account);
    expect(account.outbox.among([executionId]).size).toBe(0);
  });

  it("is not accepted again when its inbox repeats the promise, however late", () => {
    const account = openAccount();
    const run = { executionId: promised(1), draft };
    expect(account.ledger.acceptBatch([run, run], NOW)).toEqual([run.executionId]);
    end(account, run.executionId, 4);
    project(account);
    forget(account);
    account.restart();
    expect(account.ledger.acceptBatch([run], NOW)).toEqual([]);
    expect(account.ledger.credits()).toMatchObject({ availableCredits: 96, consumedCredits: 4 });
  });
});
