import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAccount } from "../support/client.ts";
import { deliver, SENDERS, type Sender } from "../support/senders.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { hookAnswer, Webhooks } from "../support/webhooks.ts";

const MINUTE_MS = 60_000;

let service: TestService;
let hooks: Webhooks;
let workflowId: string;
beforeAll(async () => {
  service = await startTestService();
  const { apiKey } = await createAccount(service);
  hooks = new Webhooks(service, apiKey);
  workflowId = await hooks.workflow({ name: "greet", prompt: "Say hello" });
});
afterAll(() => service.close());

describe.each(SENDERS)("$name, by its own code", (sender) => {
  it("is accepted, and its event is known", async () => {
    const { url, endpointId } = await endpointFor(sender);
    const response = await deliver(sender, url);
    expect(response.status).toBe(202);
    const { requestId, status } = hookAnswer.parse(await response.json());
    expect(status).toBe("accepted");
    const { eventId, errors } = await hooks.entry(endpointId, requestId);
    expect(errors).toEqual([]);
    expect(eventId).toEqual(expect.any(String));
  });

  it("is refused with one byte of the body changed", async () => {
    const { url } = await endpointFor(sender);
    const sentBody = (body: string) => body.replace(/a(?!.*a)/s, "b");
    expect((await deliver(sender, url, { sentBody })).status).toBe(401);
  });

  it("is refused with one byte of the secret changed", async () => {
    const { url } = await endpointFor(sender);
    const swap = (end: string) => (end[0] === "A" ? "B" : "A") + end.slice(1);
    const secret = sender.secret.replace(/.{4}$/, swap);
    expect((await deliver(sender, url, { secret })).status).toBe(401);
  });
});

describe.each(SENDERS.filter(({ timed }) => timed))("$name, which signs the time", (sender) => {
  it("is refused when it is too old, or from the future", async () => {
    const { url } = await endpointFor(sender);
    const now = Date.now();
    expect((await deliver(sender, url, { time: now - 6 * MINUTE_MS })).status).toBe(401);
    expect((await deliver(sender, url, { time: now + 6 * MINUTE_MS })).status).toBe(401);
    expect((await deliver(sender, url, { time: now - 4 * MINUTE_MS })).status).toBe(202);
  });
});

function endpointFor({ name, preset, secret }: Sender) {
  return hooks.endpoint({ name, workflowId, auth: { hmac: { preset, secret } } });
}
