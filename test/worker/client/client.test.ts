import { exports } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";
import { verifyCallback } from "../../../src/client/callback.ts";
import { Prompthook } from "../../../src/client/prompthook.ts";
import type { Fetch } from "../../../src/client/transport.ts";
import { newAccount, ORIGIN, send } from "../../support/worker/client.ts";
import { mailbox } from "../../support/worker/objects.ts";
import { promptOf } from "../../support/worker/scripted.ts";

const worker: Fetch = (request) => exports.default.fetch(request);
let client: Prompthook;

beforeAll(async () => {
  const { apiKey } = await newAccount();
  client = new Prompthook({ baseUrl: ORIGIN, apiKey, fetch: worker });
});

/** The items of a list or a stream, all of them. */
async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const found: Item[] = [];
  for await (const item of items) found.push(item);
  return found;
}

describe("the client in a Worker", () => {
  it("runs an agent to its result and reports its progress", async () => {
    const seen: string[] = [];
    const result = await client.executions.run(
      {
        prompt: promptOf({ finish: { summary: "Done.", data: { n: 1 } } }),
        model: "openai/scripted",
      },
      { onProgress: ({ status }) => void seen.push(status) },
    );
    expect(result).toMatchObject({
      status: "completed",
      presentedResult: { summary: "Done.", data: { n: 1 } },
    });
    expect(seen[0]).toBe("active");
    expect(seen.at(-1)).toBe("completed");
  });

  it("manages endpoints, reads their log and replays it", async () => {
    const { endpointId, secrets } = await client.webhooks.create({
      name: "orders",
      auth: { token: {} },
    });
    const hook = { method: "POST", body: { id: "evt_1" }, headers: { "X-Webhook-Token": "" } };
    hook.headers["X-Webhook-Token"] = secrets?.token ?? "";
    expect((await send(`/hooks/${endpointId}`, hook)).status).toBe(202);
    const [request] = await collected(client.webhooks.allRequests(endpointId));
    expect(request).toMatchObject({ status: "queued", eventId: "evt_1" });
    const requestId = request?.requestId ?? "";
    expect(await client.webhooks.request(endpointId, requestId)).toMatchObject({ requestId });
    const { requests } = await client.webhooks.search({ eventId: "evt_1", text: "EVT_1" });
    expect(requests).toMatchObject([{ requestId, endpointId }]);
    const again = await client.webhooks.replay(endpointId, requestId, { payload: { id: "evt_2" } });
    expect(again).toMatchObject({ edited: true, replayOf: requestId });
    const exact = await client.webhooks.replayJson(
      endpointId,
      requestId,
      '{"id":12345678901234567890}',
    );
    const { body } = await client.webhooks.request(endpointId, exact.requestId);
    expect(body).toBe('{"id":12345678901234567890}');
    expect(await collected(client.webhooks.all())).toMatchObject([{ endpointId, queuedCount: 3 }]);
    await client.webhooks.rotateSecret(endpointId, { overlapSeconds: 0 });
    expect((await send(`/hooks/${endpointId}`, hook)).status).toBe(401);
    const { presets } = await client.webhooks.presets();
    expect(presets.find(({ preset }) => preset === "github")?.auth).toEqual({
      hmac: { preset: "github" },
    });
    const trial = await client.webhooks.test(endpointId, { payload: {}, sign: true });
    expect(trial.accepted).toBe(true);
    await client.webhooks.delete(endpointId);
    await expect(client.webhooks.get(endpointId)).rejects.toMatchObject({ status: 404 });
  });

  it("manages keys", async () => {
    const made = await client.keys.create({ name: "ci", scopes: ["credits:read"] });
    const rotated = await client.keys.rotate(made.keyId, { overlapSeconds: 0 });
    expect(rotated.scopes).toEqual(["credits:read"]);
    await client.keys.revoke(rotated.keyId);
    const keys = await collected(client.keys.all());
    expect(keys.find(({ keyId }) => keyId === rotated.keyId)?.revokedAt).not.toBeNull();
  });
});

it.each(["correct horse báttery staple", `whsec_${btoa("0123456789abcdef01234567")}`])(
  "a callback of the service verifies with %s, and with no other secret",
  async (callbackSecret) => {
    const receiver = mailbox();
    const { executionId } = await client.executions.trigger({
      prompt: "x",
      model: "openai/finishes",
      callbackUrl: receiver.url,
      callbackSecret,
    });
    const [letter] = await receiver.letters(1);
    const { headers = {}, body = "" } = letter ?? {};
    const callback = await verifyCallback({ secret: callbackSecret, headers, body });
    expect(callback).toEqual({
      type: "execution.completed",
      timestamp: expect.any(String),
      ...(await client.executions.result(executionId)),
    });
    const other = verifyCallback({ secret: "another secret", headers, body });
    await expect(other).rejects.toMatchObject({ fault: "wrong_signature" });
  },
);
