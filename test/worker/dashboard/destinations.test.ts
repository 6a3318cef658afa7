import { describe, expect, it } from "vitest";
import { newBrowser, signedIn } from "../../support/worker/dashboard.ts";
import { newDestination } from "../../support/worker/destinations.ts";
import { mailbox } from "../../support/worker/objects.ts";
import { newEndpoint } from "../../support/worker/webhooks.ts";

const DESTINATIONS = "/dashboard/destinations";

describe("destinations", () => {
  it("are created with a test message, and show the receiver's response", async () => {
    const { me: session, page: read } = await newBrowser();
    expect(await read(DESTINATIONS)).toContain("No destinations yet");
    const receiver = mailbox();
    const form = {
      name: "on call",
      format: "slack",
      url: receiver.url,
      "events.endpoint.failing": "on",
    };
    const made = await session.post(DESTINATIONS, { ...form, payload: "thin" });
    const place = made.headers.get("Location") ?? "";
    expect(place).toMatch(/^\/dashboard\/destinations\/dst_\w+$/);
    await receiver.letters(1);
    await expect.poll(() => read(place)).toContain("delivered");
    const page = await read(place);
    expect(page).toContain("ping");
    expect(page).toContain("endpoint.failing");
    expect(await read(DESTINATIONS)).toContain("on call");
  });

  it("are disabled, enabled, and sent a message again", async () => {
    const { apiKey, destination, receiver, call, until } = await newDestination();
    const session = await signedIn(apiKey);
    const path = `${DESTINATIONS}/${destination.destinationId}`;
    await session.post(`${path}/disable`, {});
    expect(await session.read(path)).toContain("Enable destination");
    await session.post(`${path}/enable`, {});
    await receiver.answer(410);
    await call("/ping");
    await until("failed");
    await receiver.answer(200);
    const [, deliveryId] = /deliveries\/(del_[\w.-]+)"/.exec(await session.read(path)) ?? [];
    await session.post(`${path}/deliveries/${deliveryId}`, {});
    await until("delivered");
    await session.post(`${path}/delete`, {});
    expect(await session.read(DESTINATIONS)).toContain("No destinations yet");
  });
});

it("alerts show each cause of a failing endpoint with its count, and the action that fixes it", async () => {
  const { me: _, page: read, ...account } = await newBrowser();
  expect(await read("/dashboard/alerts")).toContain("Nothing is failing");
  const validation = { required: ["items"] };
  const { hook, endpointId } = await newEndpoint({ validation }, [], account);
  await Promise.all(Array.from({ length: 8 }, () => hook({})));
  await expect.poll(() => read("/dashboard/alerts")).toContain("orders");
  const page = await read("/dashboard/alerts");
  expect(page).toMatch(/Validation: items [^<]* × 8/);
  expect(page).toContain(`href="/dashboard/webhooks/${endpointId}/rules"`);
});
