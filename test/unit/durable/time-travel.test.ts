import { expect, it } from "vitest";
import type { KeptEffect } from "../../../src/contract/backup.ts";
import { goBack, type TravellingObject, wentBack } from "../../../src/durable/backup.ts";

const DAY = 86_400_000;
const NOW = Date.UTC(2026, 10, 24);
const EFFECT: KeptEffect = {
  executionId: "01890000-0000-7000-8000-000000000001",
  effectId: "pay",
  tool: "http_request",
  target: "POST https://shop.example/orders",
  state: "confirmed",
  at: new Date(NOW - 1_000).toISOString(),
  cause: "01890000-0000-7000-8000-000000000001",
};

/**
 * An object as Cloudflare documents it (developers.cloudflare.com/durable-objects/api/sqlite-storage-api,
 * "Point in time recovery"): bookmarks reach back 30 days, and a restore happens with the next start.
 */
function objectOn(platform: "cloudflare" | "local") {
  const steps: string[] = [];
  const refuse = () => {
    throw new Error("This storage does not implement point-in-time recovery.");
  };
  const object: TravellingObject = {
    storage: {
      async getBookmarkForTime(at: number) {
        if (platform === "local") refuse();
        if (at < NOW - 30 * DAY) throw new Error("The time is more than 30 days ago.");
        return `bookmark of ${at}`;
      },
      async onNextSessionRestoreBookmark(bookmark) {
        steps.push(`restore ${bookmark}`);
        return "bookmark of before";
      },
    },
    async blockConcurrencyWhile(work) {
      steps.push("blocked");
      return work();
    },
    abort: () => steps.push("abort"),
  };
  const effects = {
    found: () => [EFFECT],
    keep: async ([kept]: KeptEffect[]) => {
      steps.push(`keep ${kept?.effectId}`);
    },
  };
  return { object, effects, steps };
}

it("keeps the effects, then restores and restarts the object, with nothing in between", async () => {
  const { object, effects, steps } = objectOn("cloudflare");
  const failure = await goBack(object, NOW - DAY, { dryRun: false }, effects).catch((e) => e);
  expect(wentBack(failure)).toBe(true);
  expect(steps).toEqual(["blocked", "keep pay", `restore bookmark of ${NOW - DAY}`, "abort"]);
});

it("lists the effects in a dry run, and changes nothing", async () => {
  const { object, effects, steps } = objectOn("cloudflare");
  const reply = await goBack(object, NOW - DAY, { dryRun: true }, effects);
  expect(reply).toEqual({ kind: "ready", effects: [EFFECT] });
  expect(steps).toEqual(["blocked"]);
});

it("changes nothing if the platform or the list refuses, with the reason", async () => {
  const local = objectOn("local");
  expect(await goBack(local.object, NOW - DAY, { dryRun: false }, local.effects)).toEqual({
    kind: "refused",
    reason: "This storage does not implement point-in-time recovery.",
  });
  const { object, effects, steps } = objectOn("cloudflare");
  const tooLate = await goBack(object, NOW - 31 * DAY, { dryRun: false }, effects);
  expect(tooLate).toMatchObject({ kind: "refused", reason: "The time is more than 30 days ago." });
  const keep = () => Promise.reject(new Error("D1 is away."));
  const unkept = await goBack(object, NOW - DAY, { dryRun: false }, { ...effects, keep });
  expect(unkept).toEqual({ kind: "refused", reason: "D1 is away." });
  expect(steps).toEqual(["blocked", "blocked"]);
});
