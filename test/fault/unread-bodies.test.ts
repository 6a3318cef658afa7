import { Agent, request } from "node:http";
import { beforeAll, describe, expect, inject, it } from "vitest";
import { createAccount } from "../support/client.ts";
import { Webhooks } from "../support/webhooks.ts";

const MEGABYTE = 1_048_576;

const service = inject("service");
let hook: string;
let token: string;
beforeAll(async () => {
  const { apiKey } = await createAccount(service);
  token = apiKey;
  ({ url: hook } = await new Webhooks(service, apiKey).endpoint({ name: "hook" }));
});

describe.each([1, 40])("a body of %d MiB that the service does not read", (megabytes) => {
  it.each([
    ["an endpoint's limit", () => hook, [202, 400, 413]],
    ["an unknown endpoint", () => `${service.url}/hooks/nowhere`, [404]],
    ["a missing API key", () => `${service.url}/api/v1/agent/trigger`, [401]],
    ["the API's limit", () => `${service.url}/api/v1/agent/trigger`, [413], () => token],
    ["an unknown page", () => `${service.url}/nowhere`, [404]],
  ])(
    "is answered, and so is the next request of its sender: %s",
    async (_, url, statuses, key?: () => string) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      const body = Buffer.alloc(megabytes * MEGABYTE, " ");
      for (let n = 0; n < 2; n += 1) {
        expect(statuses).toContain(await send(agent, url(), body, key?.()));
        expect(await send(agent, `${service.url}/healthz`)).toBe(200);
      }
      agent.destroy();
    },
  );
});

function send(agent: Agent, url: string, body?: Buffer, token?: string): Promise<number> {
  const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  const method = body === undefined ? "GET" : "POST";
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, agent, headers }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    });
    sent.on("error", reject).end(body);
  });
}
