import { runDurableObjectAlarm } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import {
  change,
  handed,
  openInbox,
  receive,
  sentIds,
  untilSent,
  wake,
  workflow,
} from "../../support/worker/inboxes.ts";

describe("work", () => {
  it("is sent soon after its acceptance, many in one message", async () => {
    const inbox = await openInbox();
    const arrivals = Array.from({ length: 150 }, () => inbox.arrival());
    await Promise.all(arrivals.map((arrival) => inbox.api.accept(arrival)));
    const ids = await untilSent(inbox, 150);
    expect(new Set(ids)).toEqual(new Set(arrivals.map(({ request }) => request.requestId)));
    expect(ids).toHaveLength(150);
    expect(inbox.messages.length).toBeLessThan(50);
    for (const { requestIds } of inbox.messages) expect(requestIds.length).toBeLessThan(101);
  });

  it("runs under the configuration that admitted it", async () => {
    const inbox = await openInbox();
    const [one = ""] = await receive(inbox, 1);
    await change(inbox, { workflow: { ...workflow, prompt: "Another one" } });
    const [two = ""] = await receive(inbox, 1);
    await change(inbox, { name: "nothing waits for this one" });
    const { configs, items } = await inbox.api.workBatch([two, one]);
    expect(items).toMatchObject([
      { requestId: one, configVersion: 1 },
      { requestId: two, configVersion: 2 },
    ]);
    expect(configs.map(({ version }) => version)).toEqual([1, 2]);
    await inbox.api.acknowledge(handed([one, two]));
    await change(inbox, { name: "another" });
    expect(await inbox.sql("SELECT version FROM configs")).toEqual([{ version: 4 }]);
  });
});

describe("a message to the queue", () => {
  it("that is lost is resent", async () => {
    const inbox = await openInbox();
    const [one = "", two = ""] = await receive(inbox, 2);
    await untilSent(inbox, 2);
    await inbox.api.acknowledge(handed([one]));
    inbox.messages = [];
    await wake(inbox);
    expect(await untilSent(inbox, 1)).toEqual([two]);
  });

  it("is not resent while it may be in flight", async () => {
    const inbox = await openInbox();
    const ids = await receive(inbox, 2);
    await untilSent(inbox, 2);
    await runDurableObjectAlarm(inbox.object);
    await receive(inbox, 1);
    expect((await untilSent(inbox, 3)).slice(0, 2)).toEqual(ids);
    expect(sentIds(inbox)).toHaveLength(3);
  });
});
