import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { restoreRateLimiter } from "../../../src/endpoints/acceptance.ts";
import { MOST_BYTES } from "../../../src/endpoints/retention.ts";
import { openInbox } from "../../support/worker/inboxes.ts";

describe("an inbox under a flood", () => {
  it("makes room as soon as there is too much, and does not wait for its next look", async () => {
    const inbox = await openInbox();
    const body = new Uint8Array(9_000_000);
    const next = async () => {
      await inbox.api.accept(inbox.arrival({ request: { body } }));
      return await runInDurableObject(inbox.object, (_, { storage }) => {
        const { retain } = storage.kv.get<Record<string, number>>("wakeups") ?? {};
        return Number(retain) - Date.now();
      });
    };
    await runInDurableObject(inbox.object, (_, { storage }) => {
      Object.defineProperty(storage.sql, "databaseSize", { get: () => MOST_BYTES + 1 });
    });
    expect(await next()).toBeGreaterThan(60_000);
    for (let n = 0; n < 6; n += 1) await next();
    expect(await next()).toBeLessThan(1_000);
  });

  it("reads no more of its log than the last minute when it starts", async () => {
    const inbox = await openInbox({ requestsPerMinute: 100 });
    await Promise.all(Array.from({ length: 100 }, () => inbox.api.accept(inbox.arrival())));
    await runInDurableObject(inbox.object, (_, { storage }) => {
      storage.sql.exec("UPDATE requests SET arrived_at = arrived_at - 61000 WHERE seq <= 90");
      let cursor: { rowsRead: number } = { rowsRead: 0 };
      const exec: typeof storage.sql.exec = (query, ...values) => {
        const read = storage.sql.exec<never>(query, ...values);
        cursor = read;
        return read;
      };
      restoreRateLimiter({ ...storage.sql, exec }, Date.now());
      expect(cursor.rowsRead).toBeGreaterThan(9);
      expect(cursor.rowsRead).toBeLessThan(15);
    });
  });
});
