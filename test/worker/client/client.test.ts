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

  it("has calls that no page makes: a whole log, a replay with each digit, a rotated key", async () => {
    const { endpointId } = await client.webhooks.create({ name: "orders" });
    await send(`/hooks/${endpointId}`, { method: "POST", body: { id: "evt_1" } });
    const log = client.webhooks.allRequests(endpointId)[Symbol.asyncIterator]();
    const { value: request } = await log.next();
    expect(request).toMatchObject({ status: "queued", eventId: "evt_1" });
    const body = '{"id":12345678901234567890}';
    const again = await client.webhooks.replayJson(endpointId, request?.requestId ?? "", body);
    expect(again).toMatchObject({ edited: true, replayOf: request?.requestId });
    expect(await client.webhooks.request(endpointId, again.requestId)).toMatchObject({ body });
    const made = await client.keys.create({ name: "ci", scopes: ["credits:read"] });
    const rotated = await client.keys.rotate(made.keyId, { overlapSeconds: 0 });
    expect(rotated.scopes).toEqual(["credits:read"]);
  });
});

it("a callback of the service verifies in a Worker with its secret, and with no other", async () => {
  const receiver = mailbox();
  const callbackSecret = "correct horse báttery staple";
  const { executionId } = await client.executions.trigger({
    prompt: "x",
    model: "openai/finishes",
    callbackUrl: receiver.url,
    callbackSecret,
  });
  const [letter] = await receiver.letters(1);
  const { headers = {}, body = "" } = letter ?? {};
  const callback = await verifyCallback({ secret: callbackSecret, headers, body });
  expect(callback).toMatchObject({ type: "execution.completed", executionId });
  const other = verifyCallback({ secret: "another secret", headers, body });
  await expect(other).rejects.toMatchObject({ fault: "wrong_signature" });
});
