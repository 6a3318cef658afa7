import { describe, expect, it } from "vitest";
import {
  arrive,
  entryOf,
  openInbox,
  refusing,
  type TestInbox,
} from "../../support/worker/inboxes.ts";

describe("the learned shape", () => {
  const send = (inbox: TestInbox, payload: unknown, changes = {}) => {
    const body = new TextEncoder().encode(JSON.stringify(payload));
    return arrive(inbox, { request: { body, ...changes } });
  };

  it("learns from accepted requests, and flags drift from ten or more", async () => {
    const inbox = await openInbox();
    for (let n = 0; n < 8; n += 1) await send(inbox, { orderId: n, email: "a@example.com" });
    const early = await send(inbox, { orderId: "nine", email: "a@example.com" });
    const usual = await send(inbox, { orderId: 10, email: "b@example.com" });
    await expect.poll(async () => (await inbox.api.shape()).learnedFrom).toBe(10);
    const strange = await send(inbox, { orderId: null });
    await expect.poll(async () => (await inbox.api.shape()).learnedFrom).toBe(11);
    for (const id of [early, usual]) {
      expect(await entryOf(inbox, id)).toMatchObject({ drifted: false, warnings: [] });
    }
    const entry = await entryOf(inbox, strange);
    expect(entry?.drifted).toBe(true);
    expect(entry?.warnings.join()).toMatch(/orderId.*email|email.*orderId/);
    expect(await inbox.api.shape()).toMatchObject({ drifted: 1, profile: { v: 1 } });
  });

  it("ignores replays, refused requests and unreadable payloads", async () => {
    const inbox = await openInbox();
    const first = await send(inbox, { orderId: 1 });
    await send(inbox, { orderId: 1 }, { replayOf: first });
    await send(inbox, { orderId: 1 }, { contentType: "multipart/form-data" });
    await arrive(inbox, { decision: refusing("validation") });
    await send(inbox, { orderId: 2 });
    await expect.poll(async () => (await inbox.api.shape()).learnedFrom).toBe(2);
  });

  it("continues where it stopped after many at once", async () => {
    const inbox = await openInbox();
    await Promise.all(Array.from({ length: 250 }, (_, n) => send(inbox, { orderId: n })));
    await inbox.evict();
    await expect.poll(async () => (await inbox.api.shape()).learnedFrom).toBe(250);
  });
});
