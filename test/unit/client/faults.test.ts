import { describe, expect, it } from "vitest";
import { Prompthook } from "../../../src/client/prompthook.ts";
import {
  type Act,
  answer,
  hang,
  refuse,
  type ScriptedService,
  serving,
} from "../../support/scripted-service.ts";
import { CREDITS } from "../../support/states.ts";

let service: ScriptedService;

const credits = answer(CREDITS);

describe("an abort", () => {
  const reason = new Error("enough");

  it("ends a call in flight with the caller's reason", async () => {
    service = await serving(hang);
    const leaving = new AbortController();
    const call = service.client().client.credits({ signal: leaving.signal });
    await expect.poll(() => service.asked.length).toBe(1);
    leaving.abort(reason);
    await expect(call).rejects.toBe(reason);
  });

  it("sends nothing if it precedes the call", async () => {
    service = await serving(credits);
    const signal = AbortSignal.abort(reason);
    await expect(service.client().client.credits({ signal })).rejects.toBe(reason);
    // Also by a fetch that looks at no signal.
    const fetch = (request: Request) => globalThis.fetch(request.url);
    await expect(service.client({ fetch }).client.credits({ signal })).rejects.toBe(reason);
    expect(service.asked).toHaveLength(0);
  });

  it("ends the pause between retries", async () => {
    service = await serving(refuse(429, "rate_limited", { "Retry-After": "50" }));
    const client = new Prompthook({ baseUrl: service.url, apiKey: "ph_live_key" });
    const leaving = new AbortController();
    const call = client.credits({ signal: leaving.signal });
    await expect.poll(() => service.asked.length).toBe(1);
    leaving.abort(reason);
    await expect(call).rejects.toBe(reason);
  });
});

it.each<[string, Act, number]>([
  ["an answer that is no JSON", (response) => void response.end("<html>"), 200],
  ["a refusal that is not the service's", answer("who are you?", 403), 403],
])("an invalid response is an error after one request: %s", async (_, act, status) => {
  service = await serving(act);
  await expect(service.client().client.credits()).rejects.toMatchObject({
    name: "UnexpectedResponseError",
    status,
  });
  expect(service.asked).toHaveLength(1);
});

it("follows no redirect, since secrets would go along", async () => {
  const stranger = await serving(credits);
  service = await serving(
    (response) => void response.writeHead(307, { Location: stranger.url }).end(),
  );
  const { client } = service.client();
  const prompt = { prompt: "Do it.", callbackSecret: "a secret of mine" };
  await expect(client.executions.trigger(prompt)).rejects.toMatchObject({
    name: "UnexpectedResponseError",
    status: 307,
  });
  expect(stranger.asked).toHaveLength(0);
});

it("an unreachable service is reported with its address and the reason", async () => {
  service = await serving();
  const { client } = service.client({ maxRetries: 0 });
  await service.close();
  await expect(client.credits()).rejects.toThrow(
    `No response from ${service.url}/api/v1/agent/credits: connect ECONNREFUSED`,
  );
});

it.each(["http://prompthook.example", "ftp://127.0.0.1", "prompthook.example", ""])(
  "baseUrl %s is refused before a key is sent anywhere",
  (baseUrl) => {
    expect(() => new Prompthook({ baseUrl, apiKey: "ph_live_key" })).toThrow(
      `baseUrl must be an https:// URL, not "${baseUrl}"`,
    );
  },
);

it.each([undefined, ""])(
  "an API key that is %s is reported as missing before a request",
  (given) => {
    const apiKey: string = JSON.parse(JSON.stringify({ given })).given;
    expect(() => new Prompthook({ baseUrl: "https://prompthook.example", apiKey })).toThrow(
      "apiKey is missing",
    );
  },
);
