import { runInDurableObject } from "cloudflare:test";
import { v7 as uuidv7 } from "uuid";
import { afterEach, describe, expect, it } from "vitest";
import { RowOutbox } from "../../../src/accounts/outbox.ts";
import { Projector, RowPlacements } from "../../../src/accounts/projector.ts";
import type { ExecutionRow } from "../../../src/contract/execution.ts";
import { newExecutionId, withSlot } from "../../../src/lib/execution-id.ts";
import { databaseNamed } from "../../../src/records/databases.ts";
import { selectExecutions, upsertExecutions } from "../../../src/records/executions.ts";
import { executionRowExample } from "../../support/examples.ts";
import {
  creditsOf,
  draftOf,
  env,
  everything,
  execute,
  mailbox,
  messageOf,
  openAccount,
  type TestAccount,
} from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const listOf = ({ api }: TestAccount, changes: Partial<typeof everything> = {}) =>
  api.executions({ ...everything, ...changes });

const storedRow = (executionId: string) =>
  env.DB.prepare("SELECT status, version FROM executions WHERE execution_id = ?")
    .bind(executionId)
    .first<{ status: string; version: number }>();

/** How many rows D1 has of an account. */
const rowsOf = ({ accountId }: TestAccount) =>
  env.DB.prepare("SELECT count(*) AS rows FROM executions WHERE account_id = ?")
    .bind(accountId)
    .first("rows");

/** Takes the table away, as an outage would; what comes back puts it where it was. */
async function takeTableAway(): Promise<() => Promise<unknown>> {
  await env.DB.exec("ALTER TABLE executions RENAME TO executions_away");
  return () => env.DB.exec("ALTER TABLE executions_away RENAME TO executions");
}

let giveBack: (() => Promise<unknown>) | null = null;
afterEach(async () => {
  await giveBack?.();
  giveBack = null;
});

describe("the row in D1", () => {
  it("is never replaced by an older version", async () => {
    const row: ExecutionRow = {
      ...executionRowExample,
      executionId: crypto.randomUUID(),
      version: 5,
    };
    const accountId = "acc_versions";
    await upsertExecutions(env.DB, accountId, [row]);
    await upsertExecutions(env.DB, accountId, [{ ...row, version: 4, status: "active" }]);
    await upsertExecutions(env.DB, accountId, [{ ...row, version: 5, status: "failed" }]);
    expect(await storedRow(row.executionId)).toEqual({ status: "completed", version: 5 });
  });

  it("is written for each of many that exceed one write together", async () => {
    // Without credits they end at once, so that their rows are due at once.
    const account = await openAccount({ credits: 0 });
    // Each character takes seven bytes on the way: together these are more than D1's 2 MB.
    const pairs = Array.from({ length: 16 }, (_, n) => [`k${n}`, "\u0001".repeat(512)]);
    const metadata: Record<string, string> = Object.fromEntries(pairs);
    await account.api.acceptBatch(
      Array.from({ length: 40 }, () => ({
        executionId: newExecutionId(),
        draft: draftOf({ model: "openai/hangs", maxCredits: 1, metadata }),
      })),
    );
    await expect.poll(() => rowsOf(account), { timeout: 10_000 }).toBe(40);
  });
});

describe("an account whose database is full", () => {
  it("writes later rows to another database, where lists find them", async () => {
    const account = await openAccount();
    const { accountId } = account;
    const early = await execute({}, account);
    await early.ended();
    await expect.poll(() => storedRow(early.executionId)).not.toBeNull();
    const later = withSlot(uuidv7({ msecs: Date.now() + 120_000 }), 0);
    await account.api.acceptBatch([
      { executionId: later, draft: draftOf({ model: "openai/hangs" }) },
    ]);
    const placements = await runInDurableObject(
      env.ACCOUNT.getByName(accountId),
      async (_, { storage }) => {
        const open = () => new RowPlacements(storage.kv, ["SPARE"]);
        const outbox = new RowOutbox(storage.sql);
        for (let round = 1; round <= 2; round += 1) {
          const executionId = round === 1 ? early.executionId : later;
          outbox.changed(executionId, { now: Date.now(), isEnded: true });
          const projector = new Projector((name) => databaseNamed(env, name), outbox, open());
          await projector.project(accountId);
        }
        return open().all;
      },
    );
    expect(placements.map(({ database }) => database)).toEqual(["SPARE"]);
    const inSpare = await env.SPARE.prepare("SELECT execution_id FROM executions").all();
    expect(inSpare.results).toEqual([{ execution_id: later }]);
    const page = await selectExecutions(env, { accountId, placements }, everything, null, 2);
    expect(page.executions.map(({ executionId }) => executionId)).toEqual([
      later,
      early.executionId,
    ]);
  });
});

describe("while D1 is away", () => {
  it("everything but the list works, callbacks too, and the last rows are there afterwards", async () => {
    const account = await openAccount();
    giveBack = await takeTableAway();
    const receiver = mailbox();
    const callback = { url: receiver.url, sealedSecret: null, events: ["completed" as const] };
    const quick = await execute({ callback }, account);
    const slow = await execute(
      { prompt: promptOf({ calls: [{ tool: "ask_user", input: { question: "Which?" } }] }, {}) },
      account,
    );
    const stopped = await execute({ model: "openai/hangs" }, account);
    expect(await quick.ended()).toMatchObject({ status: "completed" });
    await slow.until(({ status }) => status === "waiting_for_input");
    expect(await slow.session().message(account.accountId, messageOf())).toMatchObject({
      kind: "accepted",
    });
    expect(await slow.ended()).toMatchObject({ status: "completed" });
    await stopped.status();
    await stopped.session().stop(account.accountId, { reason: null, ifVersion: null });
    expect(await listOf(account)).toBeNull();
    await receiver.letters(1);
    await expect.poll(() => creditsOf(account)).toMatchObject({ reserved: 0 });

    await giveBack();
    giveBack = null;
    const executions = [quick, slow, stopped];
    const ends = await Promise.all(executions.map((each) => each.status()));
    expect(ends.map(({ status }) => status)).toEqual(["completed", "completed", "stopped"]);
    const stored = () => Promise.all(executions.map((each) => storedRow(each.executionId)));
    await expect
      .poll(stored, { timeout: 20_000, interval: 250 })
      .toEqual(ends.map(({ status, version }) => ({ status, version })));
    const page = await listOf(account);
    expect(page?.executions.map(({ status }) => status)).toEqual([
      "stopped",
      "completed",
      "completed",
    ]);
  });
});
