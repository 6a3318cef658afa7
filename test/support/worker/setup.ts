import { applyD1Migrations } from "cloudflare:test";
import { env } from "cloudflare:workers";
import "../../../src/agent/models/anthropic.ts";
import "../../../src/agent/models/openai.ts";
import "../../../src/outbound/email/smtp/send.ts";
import "../../../src/outbound/email/smtp/server.ts";
import "../../../src/outbound/email/smtp/socket.ts";
import "../../../src/agent/tools/run-code/sandbox.ts";
import "../../../src/agent/tools/run-code/quickjs.wasm";
import "../../../src/outbound/mcp/client.ts";
import { wrapPrototypesOnce } from "./one-proxy.ts";

// The runner cannot load a module from within an object's request, where the service does so.

wrapPrototypesOnce();
await applyD1Migrations(env.DB, env.TEST_MIGRATIONS);
