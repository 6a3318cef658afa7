import { describe, expect, it } from "vitest";
import { DeadlineError } from "../../../src/lib/async.ts";
import {
  arrive,
  away,
  consume,
  creditsOf,
  DEAD,
  entryOf,
  messageOf,
  openEndpoint,
  rowsOf,
  scripted,
  statusOf,
  withAccounts,
} from "../../support/worker/inbound-queue.ts";
import { change, env, workflow } from "../../support/worker/inboxes.ts";
import { executionOf } from "../../support/worker/objects.ts";

describe("a message of the inbound queue", () => {
  it("starts its requests, each under the id that the sender was told", async () => {
    const { account, inbox } = await openEndpoint();
    const [first, second] = await arrive(inbox, 2);
    expect(await consume([messageOf(inbox, [`${first}`, `${second}`])])).toEqual({
      acked: ["m0"],
      delays: [],
    });
    const { executionId } = await entryOf(inbox, first);
    const state = await executionOf(account, `${executionId}`).ended();
    expect(state).toMatchObject({ status: "completed", creditsConsumed: 1 });
    await expect.poll(() => statusOf(inbox, second)).toBe("succeeded");
    expect(await rowsOf(account)).toMatchObject([
      { origin: "webhook", workflowId: workflow.workflowId },
      { origin: "webhook", workflowId: workflow.workflowId },
    ]);
  });

  it("changes nothing when it comes again, in any order, beside others or alone", async () => {
    const { account, inbox } = await openEndpoint();
    const ids = await arrive(inbox, 4);
    const all = messageOf(inbox, ids);
    const some = messageOf(inbox, ids.slice(2).toReversed());
    await Promise.all([consume([some, all, some]), consume([all]), consume([some])]);
    expect(await consume([all, some])).toEqual({ acked: ["m0", "m1"], delays: [] });
    for (const id of ids) await expect.poll(() => statusOf(inbox, id)).toBe("succeeded");
    await expect.poll(() => creditsOf(account)).toMatchObject({ reservedCredits: 0 });
    expect(await creditsOf(account)).toMatchObject({ consumedCredits: 4 });
    await consume([all]);
    expect(await rowsOf(account)).toHaveLength(4);
    expect(await creditsOf(account)).toMatchObject({ reservedCredits: 0, consumedCredits: 4 });
  });

  it("starts a batch of a hundred with one call to the account", async () => {
    const { account, inbox } = await openEndpoint();
    const ids = await arrive(inbox, 100);
    const batches: (string | undefined)[][] = [];
    const world = withAccounts((runs, acceptBatch) => {
      batches.push(runs.map(({ draft }) => draft.inbound?.requestId));
      return acceptBatch();
    });
    await consume([messageOf(inbox, ids)], { world });
    expect(batches).toEqual([ids]);
    expect(await rowsOf(account)).toHaveLength(100);
  });

  it("comes again, later and later, while the account is away", async () => {
    const { account, inbox } = await openEndpoint();
    const ids = await arrive(inbox, 3);
    const attempts = [1, 2, 3, 4, 5];
    const messages = attempts.map(() => messageOf(inbox, ids));
    expect(await consume(messages, { attempts, world: withAccounts(away) })).toEqual({
      acked: [],
      delays: [2, 8, 32, 128, 300],
    });
    expect(await rowsOf(account)).toEqual([]);
    for (const id of ids) expect(await statusOf(inbox, id)).toBe("queued");
    await consume([messageOf(inbox, ids)], { attempts: 6 });
    for (const id of ids) await expect.poll(() => statusOf(inbox, id)).toBe("succeeded");
  });

  it("starts nothing twice when the account's answer was lost", async () => {
    const { account, inbox } = await openEndpoint();
    const ids = await arrive(inbox, 3);
    const world = withAccounts(async (_, acceptBatch) => {
      await acceptBatch();
      throw new Error("the answer is lost");
    });
    expect(await consume([messageOf(inbox, ids)], { world })).toMatchObject({ acked: [] });
    expect(await consume([messageOf(inbox, ids)])).toMatchObject({ acked: ["m0"] });
    await expect.poll(() => creditsOf(account)).toMatchObject({ consumedCredits: 3 });
    expect(await rowsOf(account)).toHaveLength(3);
  });

  it("brings held requests to the account in the order of arrival", async () => {
    const { inbox } = await openEndpoint({ workflow: null });
    const ids = await arrive(inbox, 30);
    await change(inbox, { workflow: scripted });
    await expect.poll(async () => (await inbox.api.workBatch(ids)).items.length).toBe(30);
    const handed: (string | undefined)[] = [];
    const world = withAccounts((runs, acceptBatch) => {
      handed.push(...runs.map(({ draft }) => draft.inbound?.requestId));
      return acceptBatch();
    });
    await consume([messageOf(inbox, ids.toReversed())], { world });
    expect(handed).toEqual(ids);
  });

  it("is dropped when nobody can read it or its endpoint does not know it, and holds up no other", async () => {
    const { inbox } = await openEndpoint();
    const [id] = await arrive(inbox, 1);
    const unknown = messageOf(inbox, [crypto.randomUUID()]);
    const bodies = ["nonsense", { v: 2 }, unknown, messageOf(inbox, [`${id}`])];
    expect(await consume(bodies)).toEqual({ acked: ["m0", "m1", "m2", "m3"], delays: [] });
    await expect.poll(() => statusOf(inbox, id)).toBe("succeeded");
  });
});

describe("a dead letter", () => {
  it("has failed for good, and the log says so", async () => {
    const { inbox } = await openEndpoint();
    const ids = await arrive(inbox, 2);
    const letter = messageOf(inbox, ids);
    const consumed = await consume([letter], { queue: DEAD, world: withAccounts(away) });
    expect(consumed).toEqual({ acked: ["m0"], delays: [] });
    for (const id of ids) {
      const { status, errors } = await entryOf(inbox, id);
      expect(status).toBe("failed");
      expect(errors).toMatchObject([{ stage: "start", rule: "dead_letter" }]);
      // What errors say is for the operators.
      expect(errors[0]?.message).not.toContain("away");
    }
    expect(await inbox.api.workBatch(ids)).toMatchObject({ items: [] });
  });

  it("starts after all, one after the other, beside one that cannot start", async () => {
    const { account, inbox } = await openEndpoint();
    const [poison = "", ...good] = await arrive(inbox, 4);
    const started: (string | undefined)[] = [];
    let under = 0;
    const world = withAccounts(async ([run], acceptBatch) => {
      const requestId = run?.draft.inbound?.requestId;
      if (requestId === poison) return away();
      under += 1;
      expect(under).toBe(1);
      started.push(requestId);
      await acceptBatch();
      under -= 1;
    });
    const letter = messageOf(inbox, [poison, ...good]);
    expect(await consume([letter], { queue: DEAD, world })).toMatchObject({ acked: ["m0"] });
    expect(started).toEqual(good);
    expect(await statusOf(inbox, poison)).toBe("failed");
    for (const id of good) await expect.poll(() => statusOf(inbox, id)).toBe("succeeded");
    expect(await rowsOf(account)).toHaveLength(3);
  });

  it("does not wait for one account call after the other once it is late", async () => {
    const { inbox } = await openEndpoint();
    const ids = await arrive(inbox, 4);
    let calls = 0;
    const world = withAccounts(async () => {
      calls += 1;
      // None of those behind the first would come if each waited for the one before it.
      if (calls > 1) await expect.poll(() => calls).toBe(4);
      throw new DeadlineError("the account", 20_000);
    });
    await consume([messageOf(inbox, ids)], { queue: DEAD, world });
    for (const id of ids) {
      const { errors } = await entryOf(inbox, id);
      expect(errors[0]?.message).toContain("the account did not answer");
    }
  });

  it("comes again while its inbox cannot be told", async () => {
    const { inbox } = await openEndpoint();
    const [id] = await arrive(inbox, 1);
    const INBOX = new Proxy(env.INBOX, {
      get: () => () => {
        throw new Error("the inbox is away");
      },
    });
    const letter = messageOf(inbox, [`${id}`]);
    const consumed = await consume([letter], { queue: DEAD, world: { ...env, INBOX } });
    expect(consumed).toEqual({ acked: [], delays: [30] });
    expect(await statusOf(inbox, id)).toBe("queued");
  });

  it("changes nothing of what was started meanwhile", async () => {
    const { inbox } = await openEndpoint();
    const ids = await arrive(inbox, 2);
    await consume([messageOf(inbox, ids)]);
    expect(await consume([messageOf(inbox, ids)], { queue: DEAD })).toMatchObject({
      acked: ["m0"],
    });
    for (const id of ids) await expect.poll(() => statusOf(inbox, id)).toBe("succeeded");
  });
});
