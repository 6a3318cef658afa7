import { expect, it } from "vitest";
import { expectProblem } from "../../../support/worker/client.ts";
import { entryOf } from "../../../support/worker/hooks.ts";
import { newEndpoint } from "../../../support/worker/webhooks.ts";

const TOKEN = "the token of a sender";
const BY_SENDER = { headers: { "X-Webhook-Token": TOKEN } };

it("an endpoint's own response is sent for accepted requests and duplicates, not for refused ones or replays", async () => {
  const auth = { token: { secret: TOKEN } };
  const endpoint = await newEndpoint({ auth, response: { status: 200, body: "" } });
  await expectProblem(await endpoint.hook({}), 401, "unauthorized");
  for (const status of ["queued", "duplicate"]) {
    const answer = await endpoint.hook({ event_id: "evt_1" }, BY_SENDER);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe("");
    expect(answer.headers.has("Content-Type")).toBe(false);
    expect(await entryOf(endpoint, answer)).toMatchObject({ status, httpStatus: 200 });
  }
  const { requestId = "" } = (await endpoint.log("?status=queued")).requests[0] ?? {};
  const replay = await endpoint.call(`/requests/${requestId}/replay`, { method: "POST" });
  expect(replay.status).toBe(202);
  const [replayed] = (await endpoint.log()).requests;
  expect(replayed).toMatchObject({ replayOf: requestId, httpStatus: 202 });
});

it("an endpoint's own response is shown, tried, changed and removed", async () => {
  const endpoint = await newEndpoint();
  const response = { status: 201, headers: { "X-Shop": "north" }, body: "done" };
  await endpoint.change({ response });
  expect(await (await endpoint.call("")).json()).toMatchObject({ response });
  const tried = await endpoint.call("/test", { method: "POST", body: { payload: {} } });
  expect(await tried.json()).toMatchObject({ accepted: true, httpStatus: 201 });
  expect((await endpoint.hook({})).headers.get("X-Shop")).toBe("north");
  await endpoint.change({ response: null });
  expect((await endpoint.hook({})).status).toBe(202);
});
