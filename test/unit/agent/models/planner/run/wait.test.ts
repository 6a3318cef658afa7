import { describe, expect, it } from "vitest";
import { bind } from "../../../../../../src/agent/models/planner/parse/bind.ts";
import { understand } from "../../../../../../src/agent/models/planner/parse/understand.ts";
import { waitIn } from "../../../../../../src/agent/models/planner/text/wait.ts";
import { play } from "./play.ts";

const ENDPOINT = "ep_9f2c4e7a1b3d5f60718293a4b5c6d7e8f9012345";
const SHOP = "http://shop.test/products";
const reader = { understand, bind };
const UNTIL_GREEN = `Wait until ${ENDPOINT} receives an event whose build is green`;
const GREEN = { path: "build", equals: "green" };
const EVENT = { requestId: "r", receivedAt: "2026-03-04T05:06:07Z", payload: { build: "green" } };

describe("a prompt that begins with a wait", () => {
  it("is understood as a whole, waits, and then does the rest", async () => {
    const prompt = `${UNTIL_GREEN}, then count the rows of ${SHOP}.`;
    const { calls, replies, finish } = await play(prompt, reader, { event: EVENT });
    const [wait, ...others] = calls;
    expect(wait).toMatchObject({
      tool: "wait_for_event",
      input: { endpointId: ENDPOINT, when: GREEN, timeoutSeconds: 86_400 },
    });
    expect(others.map(({ tool }) => tool)).not.toContain("wait_for_event");
    expect(replies[0]?.plan?.[0]).toBe(
      `wait at most 1 day until ${ENDPOINT} receives an event whose build is green`,
    );
    expect(finish).toMatchObject({ status: "completed", data: 5 });
  });

  it("answers with the event if there is no rest", async () => {
    const { finish, outputs } = await play(`${UNTIL_GREEN}.`, reader, { event: EVENT });
    expect(finish).toMatchObject({ status: "completed", summary: "The event arrived." });
    expect(outputs).toMatchObject([{ label: "Event", value: EVENT }]);
  });

  it("fails if the event does not arrive, and opens nothing", async () => {
    const { finish, calls } = await play(`${UNTIL_GREEN}, then count the rows of ${SHOP}.`, reader);
    expect(finish).toMatchObject({
      status: "failed",
      summary: "The event did not arrive in time.",
    });
    expect(calls.map(({ tool }) => tool)).toEqual(["wait_for_event", "finish"]);
  });

  it.each([
    [`${UNTIL_GREEN}, then polish my shoes.`, {}],
    [`${UNTIL_GREEN}, then count the rows of ${SHOP}.`, { tools: ["browse", "process_data"] }],
  ])("does not wait for what it cannot do: %s", async (prompt, options) => {
    const { finish, calls } = await play(prompt, reader, { event: EVENT, ...options });
    expect(finish).toMatchObject({ status: "failed", reason: "cannot_do" });
    expect(calls).toHaveLength(1);
  });
});

describe("a wait", () => {
  const whole = (words: string, inputs = {}) =>
    waitIn(`Please wait for an event at {{endpoint}} ${words}`, { endpoint: ENDPOINT, ...inputs });

  it.each([
    ["whose build is green", GREEN, 86_400, ""],
    [
      "where run.passed is true within 2 hours. Then go on",
      { path: "run.passed", equals: true },
      7_200,
      "go on",
    ],
    [
      'with header X-GitHub-Event = "push" and then go',
      { in: "header", path: "X-GitHub-Event", equals: "push" },
      86_400,
      "go",
    ],
    ["whose build is not red", { not: { path: "build", equals: "red" } }, 86_400, ""],
    [
      "whose build is green and its pull.number is {{number}}, for at most 90 days, then go",
      { all: [GREEN, { path: "pull.number", equals: 7 }] },
      7_776_000,
      "go",
    ],
  ])("of %s is read", (words, when, timeoutSeconds, rest) => {
    expect(whole(words, { number: 7 })).toMatchObject({
      wait: { call: { endpointId: ENDPOINT, when, timeoutSeconds } },
      rest,
    });
  });

  it.each([
    "whose build looks good",
    "whose build is {{unknown}}",
    "whose build is green and it rains",
  ])("of %s is not", (words) => {
    expect(whole(words)).toBeNull();
  });
});
