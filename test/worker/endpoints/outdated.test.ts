import { describe, expect, it } from "vitest";
import type { EndpointConfig } from "../../../src/contract/webhooks/endpoint.ts";
import { inboxStub } from "../../../src/durable/stubs.ts";
import { loadEndpoint } from "../../../src/records/endpoints.ts";
import { env, expectProblem, send } from "../../support/worker/client.ts";
import { expectRefused, takenIn } from "../../support/worker/hooks.ts";
import { newEndpoint, type TestEndpoint } from "../../support/worker/webhooks.ts";

let changes = 0;

/** Tells the inbox alone of a change, as if another isolate had served it. */
async function changeElsewhere(
  { accountId, endpointId }: TestEndpoint,
  change: (config: EndpointConfig) => Partial<EndpointConfig>,
): Promise<void> {
  const config = await loadEndpoint(env.DB, accountId, endpointId);
  if (config === null) throw new Error("there is no such endpoint");
  changes += 1;
  const version = config.version + changes;
  await inboxStub(env, endpointId).configure({ ...config, ...change(config), version });
}

describe("a change that this isolate has not seen", () => {
  it("applies to the very next request", async () => {
    const endpoint = await newEndpoint({ methods: ["GET"] });
    const refused = await endpoint.hook({});
    await expectRefused(endpoint, refused, 405, "method_not_allowed");
    await changeElsewhere(endpoint, () => ({ methods: ["POST"] }));
    await takenIn(await endpoint.hook({}));
    await changeElsewhere(endpoint, () => ({ enabled: false }));
    await expectRefused(endpoint, await endpoint.hook({}), 404, "not_found");
  });

  it("refuses at once if the endpoint is deleted, and logs nothing", async () => {
    const endpoint = await newEndpoint();
    await takenIn(await endpoint.hook({}));
    await changeElsewhere(endpoint, () => ({ deleted: true }));
    await expectProblem(await endpoint.hook({}), 410, "gone");
    expect((await endpoint.log()).requests.length).toBe(1);
  });

  it("does not answer 410 for the path of a deleted endpoint, which another may have", async () => {
    const path = `acme-${crypto.randomUUID()}`;
    const auth = { headers: [{ name: "X-Env", value: "prod" }] };
    const endpoint = await newEndpoint({ path, auth });
    const hook = () =>
      send(`/hooks/${path}`, { method: "POST", body: {}, headers: { "X-Env": "prod" } });
    await takenIn(await hook());
    await changeElsewhere(endpoint, () => ({ deleted: true }));
    await expectProblem(await hook(), 503, "unavailable");
  });

  it("does not accept a body that was cut by an earlier, lower limit", async () => {
    const endpoint = await newEndpoint({ validation: { maxBytes: 10 } });
    await expectRefused(endpoint, await endpoint.hook("x".repeat(99)), 413, "payload_too_large");
    await changeElsewhere(endpoint, ({ validation }) => ({
      validation: { ...validation, maxBytes: 1_000 },
    }));
    const body = { text: "x".repeat(100) };
    await expectRefused(endpoint, await endpoint.hook(body), 413, "payload_too_large");
    await takenIn(await endpoint.hook(body));
  });
});
