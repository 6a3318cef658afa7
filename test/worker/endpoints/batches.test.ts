import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { hookAnswer } from "../../../src/contract/webhooks/log.ts";
import { EndpointInbox } from "../../../src/endpoints/inbox.ts";
import { expectProblem } from "../../support/worker/client.ts";
import { entryOf } from "../../support/worker/hooks.ts";
import { accepting, openInbox, wholeLog } from "../../support/worker/inboxes.ts";
import { newEndpoint, type TestEndpoint } from "../../support/worker/webhooks.ts";

const INPUTS = [{ name: "total", type: "number" as const, required: true }];
const SPLIT = { split: { path: "events" }, eventId: { in: "body", path: "key" } };

async function sent(endpoint: TestEndpoint, events: object[], status = 202) {
  const response = await endpoint.hook({ destination: "U0", events });
  expect(response.status, await response.clone().text()).toBe(status);
  const answer = hookAnswer.parse(await response.json());
  expect(answer.requestId).toBe(response.headers.get("X-Request-Id"));
  return answer;
}

describe("a batch that is split", () => {
  it("becomes one request for each item, each with its own event, entry and execution", async () => {
    const endpoint = await newEndpoint(SPLIT, INPUTS);
    const answer = await sent(endpoint, [
      { key: "a", total: 1 },
      { key: "b", total: 2 },
    ]);
    const { requestId, requests = [] } = answer;
    expect(answer).toMatchObject({ status: "accepted", duplicate: false });
    expect(requests.map(({ status }) => status)).toEqual(["accepted", "accepted"]);
    expect(answer.executionId).toBe(requests[0]?.executionId);
    expect(requests[0]?.requestId).toBe(requestId);
    for (const [index, item] of requests.entries()) {
      expect(await endpoint.entry(item.requestId)).toMatchObject({
        eventId: ["a", "b"][index],
        body: `{"key":"${["a", "b"][index]}","total":${index + 1}}`,
        executionId: item.executionId,
        mappedInputs: { total: index + 1 },
        batch: { requestId, index, count: 2 },
      });
    }
    expect((await endpoint.log()).requests).toHaveLength(2);
  });

  it("keeps its new events if it begins with a repeated one", async () => {
    const endpoint = await newEndpoint(SPLIT, INPUTS);
    const { executionId } = await sent(endpoint, [{ key: "a", total: 1 }]);
    const { status, duplicate, requests } = await sent(endpoint, [
      { key: "a", total: 1 },
      { key: "b", total: 2 },
    ]);
    expect({ status, duplicate }).toEqual({ status: "accepted", duplicate: false });
    expect(requests).toMatchObject([
      { status: "duplicate", duplicate: true, executionId },
      { status: "accepted", duplicate: false },
    ]);
  });

  it("rejects a failed item and accepts the others, and is refused if all fail", async () => {
    const endpoint = await newEndpoint(SPLIT, INPUTS);
    const { requestId, status, requests } = await sent(endpoint, [
      { key: "a" },
      { key: "b", total: 2 },
    ]);
    expect(status).toBe("accepted");
    expect(requests).toMatchObject([
      { requestId, status: "rejected", executionId: null, errors: [{ stage: "mapping" }] },
      { status: "accepted" },
    ]);
    expect(await endpoint.entry(requestId)).toMatchObject({ status: "rejected", httpStatus: 422 });
    const refused = await endpoint.hook({ events: [{ key: "c" }, { key: "d" }] });
    await expectProblem(refused, 422, "mapping_failed");
    expect((await endpoint.log("?status=rejected")).requests).toHaveLength(3);
  });

  it("is refused as a whole without its list, and accepted without items", async () => {
    const endpoint = await newEndpoint({ ...SPLIT, response: { status: 200 } });
    const refused = await endpoint.hook({ destination: "U0" });
    const { errors } = await expectProblem(refused, 422, "validation_failed");
    expect(errors).toMatchObject([{ path: "events", rule: "split" }]);
    const response = await endpoint.hook({ destination: "U0", events: [] });
    expect(response.status).toBe(200);
    expect(await response.clone().json()).toMatchObject({ executionId: null, requests: [] });
    expect(await entryOf(endpoint, response)).toMatchObject({
      status: "succeeded",
      httpStatus: 200,
    });
  });

  it("counts as one request for the rate, and its items are held one by one", async () => {
    const endpoint = await newEndpoint({ ...SPLIT, requestsPerMinute: 1 });
    const { status, requests } = await sent(endpoint, [{ key: "a" }, { key: "b" }, { key: "c" }]);
    expect({ status, count: requests?.length }).toEqual({ status: "queued", count: 3 });
    expect(await (await endpoint.call("")).json()).toMatchObject({ queuedCount: 3 });
    const limited = await endpoint.hook({ events: [{ key: "d" }] });
    await expectProblem(limited, 429, "rate_limited");
    const wait = Number(limited.headers.get("Retry-After"));
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThanOrEqual(60);
  });

  it("keeps an item and its place in a replay, which is not split again", async () => {
    const endpoint = await newEndpoint(SPLIT, INPUTS);
    const { requestId } = await sent(endpoint, [{ key: "a", total: 1 }]);
    const replay = await endpoint.call(`/requests/${requestId}/replay`, { method: "POST" });
    expect(replay.status).toBe(202);
    const [entry] = (await endpoint.log()).requests;
    const batch = { requestId, index: 0, count: 1 };
    expect(entry).toMatchObject({ replayOf: requestId, batch, mappedInputs: { total: 1 } });
  });

  it("is tried without being sent, and shows the failed item", async () => {
    const endpoint = await newEndpoint(SPLIT, INPUTS);
    const test = async (payload: object) =>
      await (await endpoint.call("/test", { method: "POST", body: { payload } })).json();
    const events = [{ key: "a", total: 1 }, { key: "b" }];
    expect(await test({ events })).toMatchObject({
      accepted: true,
      httpStatus: 202,
      items: 2,
      eventId: "b",
      mappedInputs: null,
    });
    expect(await test({ events: [{ key: "b" }] })).toMatchObject({ accepted: false, items: 1 });
  });
});

describe("the inbox, for the items of a batch", () => {
  it("accepts all, and recognizes them when they are sent again", async () => {
    const inbox = await openInbox();
    const arrivals = ["a", "b", "a"].map((eventId) =>
      inbox.arrival({ decision: accepting({ eventId }) }),
    );
    const receipts = await inbox.api.acceptBatch(arrivals);
    expect(receipts.map(({ kind }) => kind)).toEqual(["accepted", "accepted", "duplicate"]);
    await inbox.evict();
    expect(await inbox.api.acceptBatch(arrivals)).toEqual(receipts);
    expect((await inbox.api.list(wholeLog)).entries).toHaveLength(3);
  });

  it("accepts none if one cannot be stored", async () => {
    const inbox = await openInbox();
    const [first, second] = [inbox.arrival(), inbox.arrival()];
    const { requestId } = first.request;
    const broken = { ...second, request: { ...second.request, requestId } };
    await runInDurableObject(inbox.object, async (instance) => {
      if (!(instance instanceof EndpointInbox)) throw new Error("not an inbox");
      await expect(instance.acceptBatch([first, broken])).rejects.toThrow("UNIQUE");
    });
    await inbox.evict();
    expect((await inbox.api.list(wholeLog)).entries).toEqual([]);
    expect(await inbox.api.acceptBatch([first, second])).toHaveLength(2);
  });
});
