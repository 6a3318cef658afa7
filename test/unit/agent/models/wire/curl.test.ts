import { execFileSync } from "node:child_process";
import { expect, it } from "vitest";
import { describeRequest } from "../../../../../src/agent/models/registry.ts";
import { parseSettings } from "../../../../../src/env.ts";
import { modelRequest, step } from "../../../../support/model-request.ts";
import { startAnthropicServer } from "../../../../support/model-server/anthropic.ts";
import { says } from "../../../../support/model-server/behaviour.ts";

const request = modelRequest(...step("c1", 'It\'s "quoted" with $HOME and `ticks`'));

it("is a command that a shell runs, with the key in a variable", async () => {
  const server = await startAnthropicServer({ apiKey: "sk-real" });
  server.script("scripted", [says("Sent again.")]);
  const env = { ANTHROPIC_BASE_URL: server.baseUrl, ANTHROPIC_API_KEY: "sk-real" };
  const place = { settings: parseSettings(env), bindings: {} };
  const { curl, messages } = await describeRequest("anthropic/scripted", place, request);
  expect(server.requests).toEqual([]);
  expect(curl).not.toContain("sk-real");
  expect(messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool"]);
  // The shell's words, in place of what curl would send.
  const words = execFileSync("sh", ["-c", `curl() { printf '%s\\0' "$@"; }; ${curl}`], {
    env: { ...process.env, ANTHROPIC_API_KEY: "sk-real" },
    encoding: "utf8",
  }).split("\0");
  await server.close();
  expect(words[0]).toBe(`${server.baseUrl}/messages`);
  expect(words).toContain("x-api-key: sk-real");
  const body = JSON.parse(words[words.indexOf("--data-raw") + 1] ?? "");
  expect(body).toMatchObject({ model: "scripted", stream: true });
  expect(JSON.stringify(body)).toContain("$HOME and `ticks`");
});

it("is null for a model without an address", async () => {
  const place = { settings: parseSettings({}), bindings: {} };
  expect(await describeRequest("builtin/demo", place, request)).toMatchObject({ curl: null });
});
