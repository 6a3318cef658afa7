import { describe, expect, it } from "vitest";
import { expectProblem, send } from "../../support/worker/client.ts";
import { takenIn } from "../../support/worker/hooks.ts";
import { newEndpoint } from "../../support/worker/webhooks.ts";

const TOKEN = "a-token-of-tests";
const post = (path: string) =>
  send(path, { method: "POST", body: {}, headers: { "X-Webhook-Token": TOKEN } });

const unique = () => crypto.randomUUID().slice(0, 8);

describe("a custom path", () => {
  it("resolves to its endpoint, as does the endpoint's id", async () => {
    const path = `acme-${unique()}/Orders_v1.0~a`;
    const auth = { token: { secret: TOKEN } };
    const endpoint = await newEndpoint({ path, auth });
    await takenIn(await post(`/hooks/${path}`));
    await takenIn(await post(`/hooks/${endpoint.endpointId}`));
    // RFC 3986 section 2.3: escaped or not, these characters are the same.
    await takenIn(await post(`/hooks/${path.replace("~", "%7E").replace("_", "%5f")}`));
    await takenIn(await post(`/hooks/x/../${path}?a=1`));
  });

  it("has one spelling", async () => {
    const root = `acme-${unique()}`;
    const auth = { token: { secret: TOKEN } };
    const endpoint = await newEndpoint({ path: `${root}/Orders`, auth });
    const others = ["/orders", "/Orders/", "//Orders", "%2FOrders", "/Orders%00", "/Orders/x", ""];
    for (const other of others) {
      await expectProblem(await post(`/hooks/${root}${other}`), 404, "not_found");
    }
    expect((await endpoint.log()).requests).toEqual([]);
  });
});

it("an unknown address answers 404", async () => {
  const { endpointId } = await newEndpoint();
  const ids = [endpointId.toUpperCase(), `${endpointId}0`, `${endpointId}/`, "ep_short"];
  for (const address of ["", "__proto__", "%", "a".repeat(5_000), ...ids]) {
    await expectProblem(await post(`/hooks/${address}`), 404, "not_found");
  }
});

it("a deleted endpoint answers 410 by its id and its path, until another endpoint has the path", async () => {
  const path = `acme-${unique()}`;
  const auth = { token: { secret: TOKEN } };
  const { endpointId, call } = await newEndpoint({ path, auth });
  await takenIn(await post(`/hooks/${path}`));
  expect((await call("", { method: "DELETE" })).status).toBe(204);
  await expectProblem(await post(`/hooks/${endpointId}`), 410, "gone");
  await expectProblem(await send(`/hooks/${endpointId}`, { method: "PUT" }), 410, "gone");
  await expectProblem(await post(`/hooks/${path}`), 410, "gone");
  await newEndpoint({ path, auth });
  await takenIn(await post(`/hooks/${path}`));
});
