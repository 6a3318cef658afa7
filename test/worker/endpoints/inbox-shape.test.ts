import { describe, expect, it } from "vitest";
import { openInbox, refusing, type TestInbox } from "../../support/worker/inboxes.ts";

describe("the learned shape", () => {
  const send = async (inbox: TestInbox, payload: unknown, changes = {}) => {
    const body = new TextEncoder().encode(JSON.stringify(payload));
    const arrival = inbox.arrival({ request: { body, ...changes } });
    await inbox.api.accept(arrival);
    return arrival.request.requestId;
  };

  it("is learned from what was accepted, and flags what departs from it", async () => {
    const inbox = await openInbox();
    for (let n = 0; n < 10; n += 1) await send(inbox, { orderId: n, email: "a@example.com" });
    await expect.poll(async () => (await inbox.api.shape()).learnedFrom).toBe(10);
    const usual = await send(inbox, { orderId: 11, email: "b@example.com" });
    const strange = await send(inbox, { orderId: "eleven" });
    await expect.poll(async () => (await inbox.api.shape()).learnedFrom).toBe(12);
    expect((await inbox.api.entry(usual))?.entry).toMatchObject({ drifted: false, warnings: [] });
    const entry = (await inbox.api.entry(strange))?.entry;
    expect(entry?.drifted).toBe(true);
    expect(entry?.warnings.join()).toMatch(/orderId.*email|email.*orderId/);
    expect(await inbox.api.shape()).toMatchObject({ drifted: 1, profile: { v: 1 } });
  });

  it("calls nothing strange before it has seen ten", async () => {
    const inbox = await openInbox();
    for (let n = 0; n < 9; n += 1) await send(inbox, { orderId: n });
    await send(inbox, { something: "else" });
    await expect.poll(async () => (await inbox.api.shape()).learnedFrom).toBe(10);
    expect(await inbox.api.shape()).toMatchObject({ drifted: 0 });
  });

  it("is not learned from replays, refused ones or what cannot be read", async () => {
    const inbox = await openInbox();
    const first = await send(inbox, { orderId: 1 });
    await send(inbox, { orderId: 1 }, { replayOf: first });
    await send(inbox, { orderId: 1 }, { contentType: "multipart/form-data" });
    await inbox.api.accept(
      inbox.arrival({
        decision: refusing("validation"),
      }),
    );
    await send(inbox, { orderId: 2 });
    await expect.poll(async () => (await inbox.api.shape()).learnedFrom).toBe(2);
  });

  it("of many at once goes on where it was", async () => {
    const inbox = await openInbox();
    await Promise.all(Array.from({ length: 700 }, (_, n) => send(inbox, { orderId: n })));
    await inbox.evict();
    await expect.poll(async () => (await inbox.api.shape()).learnedFrom).toBe(700);
  });
});
