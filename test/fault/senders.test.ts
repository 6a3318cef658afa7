import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createAccount } from "../support/client.ts";
import { deliver, SENDERS, type Sender } from "../support/senders.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { hookAnswer, Webhooks } from "../support/webhooks.ts";

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
});

function endpointFor({ name, preset, secret }: Sender) {
  return hooks.endpoint({ name, workflowId, auth: { hmac: { preset, secret } } });
}
