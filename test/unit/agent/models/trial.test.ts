import { afterEach, beforeEach, expect, it } from "vitest";
import { createModel } from "../../../../src/agent/models/registry.ts";
import { tryModel } from "../../../../src/agent/models/trial.ts";
import { parseSettings } from "../../../../src/env.ts";
import {
  type Behaviour,
  call,
  callsTools,
  fails,
  finishes,
  hangs,
  outOfQuota,
  rawCall,
  says,
} from "../../../support/model-server/behaviour.ts";
import { type ModelServer, startModelServer } from "../../../support/model-server/server.ts";

const KEY = "sk-test-0123456789";
let server: ModelServer;

beforeEach(async () => {
  server = await startModelServer({ apiKey: KEY });
});

afterEach(() => server.close());

/** Tries a model that does this, with a clock that a call moves by two seconds. */
function trialOf(behaviour: Behaviour, { apiKey = KEY, timeoutMs = 60_000 } = {}) {
  server.script("m", [behaviour]);
  const settings = parseSettings({ OPENAI_BASE_URL: server.baseUrl, OPENAI_API_KEY: apiKey });
  const times = [1_000, 3_000];
  const model = createModel("openai/m", { settings, bindings: {} }, "trial");
  return tryModel(model, timeoutMs, () => times.shift() ?? 3_000);
}

it("reports success for a model that calls the offered tool", async () => {
  expect(await trialOf(finishes("OK"))).toEqual({
    ok: true,
    message: "It works: it called the tool that it was offered.",
    durationMs: 2_000,
  });
  expect(server.requests.map(({ body }) => body.tools?.length)).toEqual([1]);
});

it.each([
  ["answers in words", says("OK"), "It does not call tools"],
  ["calls a tool that it was not offered", callsTools(call("other", {})), "It does not call tools"],
  ["writes a call that is no JSON", callsTools(rawCall("finish", "{")), "It does not call tools"],
  ["does not exist", fails(404, "No such model: m"), "does not know the model"],
  ["has no quota", outOfQuota(), "has no quota left (429)"],
  ["is overloaded", fails(529), "is overloaded (529)"],
] as const)("reports the fault of a model that %s", async (_, behaviour, message) => {
  const trial = await trialOf(behaviour);
  expect(trial).toMatchObject({ ok: false, message: expect.stringContaining(message) });
});

it("reports a refused key without showing it", async () => {
  const { ok, message } = await trialOf(finishes("OK"), { apiKey: "sk-refused-0123456789" });
  expect(ok).toBe(false);
  expect(message).toContain("does not accept the API key (401)");
  expect(message).not.toContain("sk-refused");
});

it("reports a model as too slow that does not reply in time", async () => {
  const trial = await trialOf(hangs(), { timeoutMs: 20 });
  expect(trial.message).toBe("It is too slow: no reply within 0.02 seconds.");
});
