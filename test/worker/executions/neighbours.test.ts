import { abortAllDurableObjects, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { afterEach, describe, expect, it, vi } from "vitest";
import {
  changeHead,
  dueAtRest,
  dueOf,
  endedByItself,
  endPauses,
  env,
  executeTogether,
  hostOf,
  mailbox,
  messageOf,
  openAccount,
  type TestAccount,
  type TestExecution,
} from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

afterEach(() => vi.restoreAllMocks());

const asks = { calls: [{ tool: "ask_user", input: { question: "Which?" } }] };
const gets = (url: string) => ({ calls: [{ tool: "http_request", input: { url } }] });
const done = { finish: { summary: "Done." } };

/** The object that hosts them all. */
const objectOf = ({ account, executionId }: TestExecution) =>
  hostOf(account.accountId, executionId);

async function holding() {
  const box = mailbox();
  await box.answer("hold");
  return box;
}

/** Changes what the host has stored of an execution. */
function store(execution: TestExecution, query: string): Promise<void> {
  return runInDurableObject(objectOf(execution), (_, { storage }) => {
    storage.sql.exec(query.replaceAll("$ID", `'${execution.executionId}'`));
  });
}

describe("a session does not delay other sessions", () => {
  it("when its model hangs", async () => {
    const account = await openAccount();
    const model = await holding();
    const hanging = await executeTogether(account, {
      prompt: promptOf({ gate: model.name, ...done }),
    });
    await model.letters(1);
    // Its step is now run by the alarm, which waits for it.
    await abortAllDurableObjects();
    await model.letters(2);
    const neighbours = await Promise.all([1, 2, 3].map(() => executeTogether(account)));
    // The alarm ends its wait.
    const waits = { prompt: promptOf(asks), inputTimeoutSeconds: 1 };
    const waiting = await executeTogether(account, waits);
    for (const neighbour of neighbours) {
      expect(await endedByItself(neighbour)).toMatchObject({ status: "completed" });
    }
    expect(await endedByItself(waiting)).toMatchObject({ statusDetail: "input_timeout" });
    await hanging.session().stop(account.accountId, { reason: null, ifVersion: null });
    expect(await hanging.ended()).toMatchObject({ status: "stopped" });
  });

  it("when many of them compute up to their limit", async () => {
    const account = await openAccount();
    const endless = { calls: [{ tool: "run_code", input: { code: "for (;;);" } }] };
    const start = async (prompt: string) => {
      const execution = await executeTogether(account, { prompt });
      await execution.until(({ status }) => status === "waiting_for_input");
      return execution;
    };
    const computing: TestExecution[] = [];
    for (let n = 0; n < 3; n += 1) computing.push(await start(promptOf(asks, endless, done)));
    const quick = await start(promptOf(asks, done));
    const ended: TestExecution[] = [];
    await Promise.all(
      [...computing, quick].map(async (execution) => {
        await execution.session().message(account.accountId, messageOf());
        expect(await execution.ended()).toMatchObject({ status: "completed" });
        ended.push(execution);
      }),
    );
    expect(ended.indexOf(quick)).toBeLessThan(2);
  });

  it("when its step throws, and continues once it no longer does", async () => {
    const account = await openAccount();
    const page = await holding();
    const failing = await executeTogether(account, { prompt: promptOf(gets(page.url), done) });
    await page.letters(1);
    await store(
      failing,
      `CREATE TRIGGER fails BEFORE INSERT ON journal WHEN NEW.execution_id = $ID
       BEGIN SELECT raise(ABORT, 'no'); END`,
    );
    await page.answer(200);
    const neighbours = await Promise.all([1, 2, 3].map(() => executeTogether(account)));
    for (const neighbour of neighbours) {
      expect(await endedByItself(neighbour)).toMatchObject({ status: "completed" });
    }
    await store(failing, "DROP TRIGGER fails");
    await endPauses(failing);
    expect(await endedByItself(failing)).toMatchObject({ status: "completed" });
  });

  it.each([
    ["head", "UPDATE heads SET head = substr(head, 2) WHERE execution_id = $ID"],
    [
      "turn",
      `UPDATE journal SET entry = replace(entry, '"role":"user"', '"role":"nobody"') WHERE execution_id = $ID`,
    ],
  ])("when its stored %s is unreadable: it is logged, and retried later", async (_, tear) => {
    const account = await openAccount();
    const page = await holding();
    const torn = await executeTogether(account, { prompt: promptOf(gets(page.url), done) });
    const other = await executeTogether(account, { prompt: promptOf(gets(page.url), done) });
    await page.letters(2);
    const read = "SELECT seq, entry FROM journal WHERE execution_id = ?";
    const [head, entries] = await runInDurableObject(objectOf(torn), (_, { storage: { sql } }) => {
      const rows = sql.exec<{ seq: number; entry: string }>(read, torn.executionId).toArray();
      return [textOf(sql, torn), rows] as const;
    });
    // The report of its start, which stores its head, is over.
    const report = async () => (await dueOf(torn)).report ?? Number.POSITIVE_INFINITY;
    await expect.poll(async () => (await report()) - Date.now()).toBeGreaterThan(1_000);
    await store(torn, tear);
    const errors = vi.spyOn(console, "error");
    await abortAllDurableObjects();
    await page.answer(200);
    expect(await endedByItself(other)).toMatchObject({ status: "completed" });
    expect(await endedByItself(await executeTogether(account))).toMatchObject({
      status: "completed",
    });
    await expect.poll(() => errors.mock.calls.map(String).join()).toContain(torn.executionId);
    await runInDurableObject(objectOf(torn), async (_, { storage }) => {
      const query = "SELECT wake_at FROM heads WHERE execution_id = ?";
      const { wake_at } = storage.sql.exec<{ wake_at: number }>(query, torn.executionId).one();
      expect(wake_at - Date.now()).toBeGreaterThan(60_000);
      const mend = "UPDATE heads SET head = ?, wake_at = 1 WHERE execution_id = ?";
      storage.sql.exec(mend, head, torn.executionId);
      for (const { seq, entry } of entries) {
        const mendEntry = "UPDATE journal SET entry = ? WHERE execution_id = ? AND seq = ?";
        storage.sql.exec(mendEntry, entry, torn.executionId, seq);
      }
      await storage.setAlarm(Date.now());
    });
    await abortAllDurableObjects();
    expect(await endedByItself(torn)).toMatchObject({ status: "completed" });
  });
});

/** An execution that waits for an answer, and rests. */
async function asked(account: TestAccount, inputTimeoutSeconds = 86_400) {
  const execution = await executeTogether(account, { prompt: promptOf(asks), inputTimeoutSeconds });
  await execution.until(({ status }) => status === "waiting_for_input");
  await expect.poll(() => dueAtRest(execution)).toEqual({ deadline: expect.any(Number) });
  return execution;
}

describe("idle sessions", () => {
  /** Whether its state is read from storage: nothing of it is in memory. */
  const isDropped = async (execution: TestExecution) => {
    await changeHead(execution, (head) => ({ ...head, state: { ...head.state, message: "new" } }));
    return (await execution.status()).progress.message === "new";
  };

  it("are evicted from memory when there are many", async () => {
    const account = await openAccount();
    const first = await asked(account);
    const polled = await asked(account);
    const { version } = await polled.status();
    const change = polled.session().waitForStatus(account.accountId, version, 30);
    await Promise.all(Array.from({ length: 33 }, () => asked(account)));
    await executeTogether(account);
    expect(await isDropped(first)).toBe(true);
    // One that somebody waits for stays.
    await polled.session().message(account.accountId, messageOf());
    const reply = await change;
    expect(reply.kind === "found" && reply.state.version).toBeGreaterThan(version);
    await first.session().message(account.accountId, messageOf());
    await first.until((state) => state.progress.stepsCompleted > 0);
  });

  it("are evicted from memory when their inputs are long", async () => {
    const account = await openAccount();
    const inputs = { text: "x".repeat(1_500_000) };
    const ended = async () => {
      // Too long for the model, it ends at once.
      const execution = await executeTogether(account, { inputs });
      await execution.ended();
      await expect.poll(() => dueAtRest(execution)).toEqual({ retention: expect.any(Number) });
      return execution;
    };
    const small = await asked(account);
    const [first, second] = [await ended(), await ended()];
    expect(await isDropped(small)).toBe(false);
    await ended();
    expect([await isDropped(first), await isDropped(second)]).toEqual([true, true]);
  });
});

describe("the alarm of a host", () => {
  const wakesAt = (execution: TestExecution) =>
    runInDurableObject(objectOf(execution), (_, { storage }) => storage.getAlarm());

  it("is that of the earliest session; an early one is rearmed", async () => {
    const account = await openAccount();
    const later = await asked(account, 2_000);
    const first = await asked(account, 1_000);
    await runDurableObjectAlarm(objectOf(first));
    expect(await wakesAt(first)).toBe((await dueOf(first)).deadline);
    await first.session().stop(account.accountId, { reason: null, ifVersion: null });
    await expect.poll(() => dueAtRest(first)).toEqual({ retention: expect.any(Number) });
    await runDurableObjectAlarm(objectOf(first));
    expect(await wakesAt(first)).toBe((await dueOf(later)).deadline);
    expect(await later.status()).toMatchObject({ status: "waiting_for_input" });
  });

  it("keeps a wake-up that only newer code knows", async () => {
    const account = await openAccount();
    const execution = await asked(account, 1_000);
    const due = { ...(await dueOf(execution)), dream: 1 };
    await store(
      execution,
      `UPDATE heads SET wake_at = 1, head = json_set(head, '$.due', json('${JSON.stringify(due)}'))
       WHERE execution_id = $ID`,
    );
    await abortAllDurableObjects();
    await runDurableObjectAlarm(objectOf(execution));
    expect(await dueOf(execution)).toEqual(due);
    expect(await wakesAt(execution)).toBe((await dueOf(execution)).deadline);
    await execution.session().stop(account.accountId, { reason: null, ifVersion: null });
    await expect
      .poll(() => dueAtRest(execution))
      .toEqual({ dream: 1, retention: expect.any(Number) });
  });
});

describe("a host without sessions", () => {
  it("deletes its state, and can host others again", async () => {
    const account = await openAccount();
    const [one, other] = [await executeTogether(account), await executeTogether(account)];
    const retire = async (execution: TestExecution) => {
      await execution.ended();
      await expect.poll(() => dueAtRest(execution)).toEqual({ retention: expect.any(Number) });
      await changeHead(execution, (head) => ({ ...head, due: { retention: 1 } }));
    };
    await retire(one);
    await abortAllDurableObjects();
    await runDurableObjectAlarm(objectOf(one));
    await expect.poll(() => one.session().status(account.accountId)).toEqual({ kind: "unknown" });
    expect(await other.ended()).toMatchObject({ status: "completed" });
    await retire(other);
    const rows = async () => {
      const query = "SELECT status FROM executions WHERE execution_id = ?";
      return (await env.DB.prepare(query).bind(other.executionId).all()).results;
    };
    await expect.poll(rows).toEqual([{ status: "completed" }]);
    await abortAllDurableObjects();
    await runDurableObjectAlarm(objectOf(other));
    await expect.poll(() => other.session().status(account.accountId)).toEqual({ kind: "unknown" });
    await runInDurableObject(objectOf(other), async (_, { storage }) => {
      expect(storage.sql.exec("SELECT name FROM sqlite_master").toArray()).toEqual([]);
      expect((await storage.list()).size).toBe(0);
      expect(await storage.getAlarm()).toBeNull();
    });
    expect(await rows()).toEqual([]);
    const next = await executeTogether(account);
    expect(await endedByItself(next)).toMatchObject({ status: "completed" });
  });
});

function textOf(sql: SqlStorage, { executionId }: TestExecution): string {
  const query = "SELECT head FROM heads WHERE execution_id = ?";
  return sql.exec<{ head: string }>(query, executionId).one().head;
}
