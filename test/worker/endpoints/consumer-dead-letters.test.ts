import { describe, expect, it } from "vitest";
import { DeadlineError } from "../../../src/lib/async.ts";
import {
  arrive,
  away,
  consume,
  DEAD,
  entryOf,
  messageOf,
  openEndpoint,
  rowsOf,
  scripted,
  statusOf,
  withAccounts,
} from "../../support/worker/inbound-queue.ts";
import { change, env, untilSent } from "../../support/worker/inboxes.ts";

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

  it("says that the account did not answer when that was the reason", async () => {
    const { inbox } = await openEndpoint();
    const [id] = await arrive(inbox, 1);
    const world = withAccounts(() => Promise.reject(new DeadlineError("the account", 20_000)));
    await consume([messageOf(inbox, [`${id}`])], { queue: DEAD, world });
    expect((await entryOf(inbox, id)).errors[0]?.message).toContain("the account did not answer");
  });

  it("is started after all where that works, beside one that cannot be", async () => {
    const { account, inbox } = await openEndpoint();
    const [poison, good] = await arrive(inbox, 2);
    const world = withAccounts((runs, acceptBatch) =>
      runs.some(({ draft }) => draft.inbound?.requestId === poison) ? away() : acceptBatch(),
    );
    const letter = messageOf(inbox, [`${poison}`, `${good}`]);
    expect(await consume([letter], { queue: DEAD, world })).toMatchObject({ acked: ["m0"] });
    expect(await statusOf(inbox, poison)).toBe("failed");
    await expect.poll(() => statusOf(inbox, good)).toBe("succeeded");
    expect(await rowsOf(account)).toHaveLength(1);
  });

  it("keeps the order of arrival among those that are started after all", async () => {
    const { inbox } = await openEndpoint({ workflow: null });
    const ids = await arrive(inbox, 4);
    await change(inbox, { workflow: scripted });
    await untilSent(inbox, 4);
    const handedOver: (string | undefined)[] = [];
    let under = 0;
    const world = withAccounts(async (runs, acceptBatch) => {
      under += 1;
      expect(under).toBe(1);
      handedOver.push(...runs.map(({ draft }) => draft.inbound?.requestId));
      await acceptBatch();
      under -= 1;
    });
    await consume([messageOf(inbox, ids)], { queue: DEAD, world });
    expect(handedOver).toEqual(ids);
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
    for (const id of ids) expect(await statusOf(inbox, id)).toBe("failed");
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

  it("is dropped when nobody can read it", async () => {
    expect(await consume([null], { queue: DEAD })).toEqual({ acked: ["m0"], delays: [] });
  });
});
