import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAccount } from "../support/client.ts";
import { deliver, SENDERS } from "../support/senders.ts";
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
  let url: string;
  let endpointId: string;
  beforeAll(async () => {
    const auth = { hmac: { preset: sender.preset, secret: sender.secret } };
    ({ url, endpointId } = await hooks.endpoint({ name: sender.name, workflowId, auth }));
  });

  it("is accepted, and its event is known", async () => {
    const response = await deliver(sender, url);
    expect(response.status).toBe(202);
    const { requestId, status } = hookAnswer.parse(await response.json());
    expect(status).toBe("accepted");
    const { eventId, errors } = await hooks.entry(endpointId, requestId);
    expect(errors).toEqual([]);
    expect(eventId).toEqual(expect.any(String));
  });

  it("is refused with one byte of the body changed", async () => {
    const sentBody = (body: string) => body.replace(/a(?!.*a)/s, "b");
    expect((await deliver(sender, url, { sentBody })).status).toBe(401);
  });

  it("is refused with one byte of the secret changed", async () => {
    const secret = sender.secret.replace(
      /.{4}$/,
      (end) => (end[0] === "A" ? "B" : "A") + end.slice(1),
    );
    expect((await deliver(sender, url, { secret })).status).toBe(401);
  });

  it.runIf(sender.timed)("is refused when it is too old, or from the future", async () => {
    const now = Date.now();
    expect((await deliver(sender, url, { time: now - 6 * MINUTE_MS })).status).toBe(401);
    expect((await deliver(sender, url, { time: now + 6 * MINUTE_MS })).status).toBe(401);
    expect((await deliver(sender, url, { time: now - 4 * MINUTE_MS })).status).toBe(202);
  });
});
