import { expect, it } from "vitest";
import type { InboxApi, ReceivedRequest } from "../../../src/contract/webhooks/inbox.ts";
import { tryRelease } from "../../../src/intake/logged.ts";
import { configWith, routeWith, workflowWith } from "../../support/endpoint.ts";
import { requestWith } from "../../support/logged.ts";
import { inputOf } from "../../support/mapping.ts";

const workflow = workflowWith({ inputs: [inputOf("id", "integer", { required: true })] });
const config = configWith({ workflow });

const requestOf = (payload: unknown): ReceivedRequest =>
  requestWith({ body: new TextEncoder().encode(JSON.stringify(payload)) });

/** An inbox that holds these requests and hands out at most `most` in one call. */
function inboxOf(requests: ReceivedRequest[], most = 1_000): Pick<InboxApi, "held"> {
  return {
    async held(after) {
      const portion = requests.slice(after, after + most);
      const end = after + portion.length;
      return {
        count: requests.length,
        requests: portion,
        next: end < requests.length ? end : null,
      };
    },
  };
}

const still = () => 0;

it("counts starts and held requests, with the first errors", async () => {
  const requests = [{ id: 1 }, {}, { id: "x" }, {}, {}, {}, {}].map(requestOf);
  const inbox = inboxOf(requests, 2);
  const { sample, ...counts } = await tryRelease(config, { inbox, now: still });
  expect(counts).toEqual({
    held: 7,
    looked: 7,
    wouldStart: 1,
    wouldStayHeld: 6,
    wouldBeUnrouted: 0,
    truncated: false,
  });
  expect(sample).toHaveLength(5);
  expect(sample.slice(0, 2)).toMatchObject([
    { requestId: requests[1]?.requestId, errors: [{ stage: "mapping", rule: "required" }] },
    { requestId: requests[2]?.requestId, errors: [{ stage: "mapping", rule: "type" }] },
  ]);
});

it("counts unrouted requests apart from unmapped ones", async () => {
  const when = { path: "is", equals: "order" };
  const route = routeWith({ when, workflow, key: { path: "is" } });
  const requests = [{ is: "order", id: 1 }, { is: "order" }, { is: "other" }].map(requestOf);
  const routed = configWith({ routing: { routes: [route] } });
  const trial = await tryRelease(routed, { inbox: inboxOf(requests), now: still });
  expect(trial).toMatchObject({ wouldStart: 1, wouldStayHeld: 1, wouldBeUnrouted: 1 });
});

it("stops if it takes too long, with a note", async () => {
  let time = 0;
  const now = () => {
    time += 4_000;
    return time;
  };
  const inbox = inboxOf(Array(9).fill(requestOf({ id: 1 })), 1);
  const trial = await tryRelease(config, { inbox, now });
  expect(trial).toMatchObject({ held: 9, looked: 3, wouldStart: 3, truncated: true });
});

it("stops if the bodies are large, with a note", async () => {
  // A file, since no time is spent on what it says.
  const large = requestWith({ contentType: "image/png", body: new Uint8Array(9_000_000) });
  const inbox = inboxOf(Array(10).fill(large), 1);
  const trial = await tryRelease(config, { inbox, now: still });
  expect(trial).toMatchObject({ held: 10, looked: 8, truncated: true });
});
