import { afterEach, describe, expect, it, vi } from "vitest";
import { Account } from "../../../src/accounts/account.ts";
import {
  arrive,
  away,
  consume,
  creditsOf,
  entryOf,
  messageOf,
  openEndpoint,
  rowsOf,
  statusOf,
  withAccounts,
} from "../../support/worker/inbound-queue.ts";
import { workflow } from "../../support/worker/inboxes.ts";
import { executionOf } from "../../support/worker/objects.ts";

afterEach(() => vi.restoreAllMocks());

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
    const calls = vi.spyOn(Account.prototype, "acceptBatch");
    const ids = await arrive(inbox, 100);
    await consume([messageOf(inbox, ids)]);
    // Accounts of other tests may get theirs meanwhile.
    const batches = calls.mock.calls.map(([starts]) =>
      starts.map(({ draft }) => draft.inbound?.requestId),
    );
    expect(batches.filter((batch) => batch.some((id) => ids.includes(id ?? "")))).toEqual([ids]);
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

  it("is dropped when nobody can read it, and holds up no other", async () => {
    const { inbox } = await openEndpoint();
    const [id] = await arrive(inbox, 1);
    const bodies = ["nonsense", { v: 2 }, messageOf(inbox, [`${id}`])];
    expect(await consume(bodies)).toEqual({ acked: ["m0", "m1", "m2"], delays: [] });
    await expect.poll(() => statusOf(inbox, id)).toBe("succeeded");
  });

  it("is dropped when its endpoint knows nothing of its requests", async () => {
    const { inbox } = await openEndpoint();
    const unknown = messageOf(inbox, [crypto.randomUUID()]);
    expect(await consume([unknown])).toEqual({ acked: ["m0"], delays: [] });
  });
});
