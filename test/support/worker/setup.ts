import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterAll } from "vitest";
import { emptyInboxes } from "./inboxes.ts";
import "./pool.ts";

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
afterAll(emptyInboxes);
