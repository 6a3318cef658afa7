import { abortAllDurableObjects, applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll } from "vitest";
import { emptyInboxes } from "./inboxes.ts";
import "./pool.ts";

for (const database of [env.DB, env.SPARE]) await applyD1Migrations(database, env.TEST_MIGRATIONS);
afterAll(async () => {
  await emptyInboxes();
  // The pool waits for all that is under way, and what an object waits for may never come.
  await abortAllDurableObjects();
});
