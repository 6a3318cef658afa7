import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll } from "vitest";
import { emptyInboxes } from "./inboxes.ts";
import "./pool.ts";

for (const database of [env.DB, env.SPARE]) await applyD1Migrations(database, env.TEST_MIGRATIONS);
// The service's lines about what goes well would bury what a test says.
console.info = () => {};
afterAll(emptyInboxes);
