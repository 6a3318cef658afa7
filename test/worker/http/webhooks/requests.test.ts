import { expect, it } from "vitest";
import { logEntry } from "../../../../src/contract/webhooks/log.ts";
import { allPages, expectProblem, faultsOf, newAccount } from "../../../support/worker/client.ts";
import { newEndpoint, WEBHOOKS } from "../../../support/worker/webhooks.ts";

const SEARCH = "/api/v1/webhook-requests";

const idsIn = (entries: { requestId: string }[]) => entries.map(({ requestId }) => requestId);

it("the log lists accepted and refused requests, newest first, by its filters", async () => {
  const endpoint = await newEndpoint({ validation: { required: ["id"] } });
  const first = await endpoint.take({ id: "evt_1" });
  const again = await endpoint.take({ id: "evt_1" });
  const refused = (await endpoint.hook({ total: 5 })).headers.get("X-Request-Id") ?? "";
  const { requests, nextCursor } = await endpoint.log();
  expect(nextCursor).toBeNull();
  expect(idsIn(requests)).toEqual([refused, again, first]);
  expect(requests[0]).toMatchObject({
    endpointId: endpoint.endpointId,
    status: "rejected",
    httpStatus: 422,
    errors: [{ stage: "validation", path: "id" }],
    body: '{"total":5}',
    replayOf: null,
    edited: false,
  });
  expect(requests[1]).toMatchObject({ status: "duplicate", duplicateOf: first });
  expect(requests[2]).toMatchObject({ status: "queued", httpStatus: 202, eventId: "evt_1" });
  const pages = `${WEBHOOKS}/${endpoint.endpointId}/requests?limit=2`;
  expect(await allPages(endpoint.apiKey, pages, "requests", logEntry)).toEqual(requests);
  const at = encodeURIComponent((await endpoint.entry(first)).receivedAt);
  for (const [query, found] of [
    ["?status=queued", [first]],
    ["?status=duplicate,rejected", [refused, again]],
    ["?duplicate=true", [again]],
    ["?duplicate=false", [refused, first]],
    ["?duplicate=true&status=rejected", []],
    [`?receivedBefore=${at}`, []],
    ["?receivedAfter=2020-01-01T00:00:00Z", [refused, again, first]],
    ["?receivedAfter=2999-01-01T00:00:00Z", []],
    [
      "?receivedAfter=2020-01-01T00:00:00Z&receivedBefore=2999-01-01T00:00:00Z&duplicate=true",
      [again],
    ],
  ] as const) {
    expect(idsIn((await endpoint.log(query)).requests), query).toEqual(found);
  }
});

it("the log is searched over all endpoints of the account, page by page", async () => {
  const one = await newEndpoint({ eventId: { in: "body", path: "id" } });
  const other = await newEndpoint({}, undefined, one);
  const sent: string[] = [];
  for (let at = 0; at < 5; at += 1) {
    const order = `ord_${at}`;
    sent.push(await one.take({ id: `evt_${at}`, type: "order.paid", order }));
    sent.push(await other.take({ id: `evt_${at}`, order }));
  }
  const search = async (query: string, token = one.apiKey) =>
    idsIn(await allPages(token, `${SEARCH}?limit=3${query}`, "requests", logEntry));
  expect((await search("")).toSorted()).toEqual(sent.toSorted());
  expect(await search("&text=ord_3")).toEqual([sent[7], sent[6]]);
  expect(await search(`&text=ord_3&endpointId=${other.endpointId}`)).toEqual([sent[7]]);
  expect(await search("&eventId=evt_2&status=queued")).toContain(sent[4]);
  expect(await search("&eventType=order.paid")).toHaveLength(5);
  expect(await faultsOf(await one.get(`${SEARCH}?text=ab`))).toEqual(["text"]);
  const stranger = await newAccount();
  expect(await search("", stranger.apiKey)).toEqual([]);
  const path = `${SEARCH}?endpointId=${other.endpointId}`;
  await expectProblem(await stranger.get(path), 404, "not_found");
});

it("the log has no entry of another endpoint, or under an unknown id", async () => {
  const [endpoint, other] = [await newEndpoint(), await newEndpoint()];
  const requestId = await other.take({ id: 1 });
  for (const id of [requestId, crypto.randomUUID(), "none"]) {
    await expectProblem(await endpoint.call(`/requests/${id}`), 404, "not_found");
  }
  const nowhere = `${WEBHOOKS}/ep_${"0".repeat(40)}/requests`;
  await expectProblem(await endpoint.get(nowhere), 404, "not_found");
});
