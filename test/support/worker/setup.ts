import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
// The runner cannot load a module from within an object's request, where the service does so.
import "../../../src/agent/models/openai.ts";

await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
