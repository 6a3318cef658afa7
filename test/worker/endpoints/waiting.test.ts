import { describe, expect, it } from "vitest";
import * as z from "zod";
import type { JsonObject } from "../../../src/contract/json.ts";
import { AGENT, send, trigger, untilStatus } from "../../support/worker/client.ts";
import { promptOf } from "../../support/worker/scripted.ts";
import { newEndpoint, type TestEndpoint } from "../../support/worker/webhooks.ts";

const GREEN = { path: "build", equals: "green" };

/** Starts an execution that waits for an event of this endpoint; answers its id. */
async function waitFor(endpoint: TestEndpoint, input: JsonObject = {}) {
  const call = { endpointId: endpoint.endpointId, when: GREEN, timeoutSeconds: 60, ...input };
  const prompt = promptOf(
    { calls: [{ tool: "wait_for_event", input: call }] },
    { finish: { summary: "Woken." } },
  );
  return await trigger(endpoint.apiKey, { prompt, model: "openai/scripted" });
}

const answerOf = async (endpoint: TestEndpoint, executionId: string) => {
  const response = await send(`${AGENT}/trigger/${executionId}/events`, {
    token: endpoint.apiKey,
    headers: { Accept: "application/json" },
  });
  const { events } = z
    .object({ events: z.array(z.looseObject({ type: z.string() })) })
    .parse(await response.json());
  return events.filter(({ type }) => type === "tool.finished");
};

describe("a call that waits for an event", () => {
  it("sleeps until an event matches its condition, and returns the payload", async () => {
    const endpoint = await newEndpoint();
    const executionId = await waitFor(endpoint);
    await untilStatus(endpoint.apiKey, executionId, "waiting_for_input");
    await endpoint.take({ build: "red" });
    const requestId = await endpoint.take({ build: "green", commit: "abc" });
    await untilStatus(endpoint.apiKey, executionId, "completed");
    expect(await answerOf(endpoint, executionId)).toMatchObject([
      { data: { ok: true, result: { requestId, payload: { build: "green", commit: "abc" } } } },
    ]);
  });

  it("finds an earlier event since its given time, or ends after its timeout", async () => {
    const endpoint = await newEndpoint();
    await endpoint.take({ build: "green" });
    const early = await waitFor(endpoint, { since: new Date(0).toISOString() });
    await untilStatus(endpoint.apiKey, early, "completed");
    const since = new Date().toISOString();
    const late = await waitFor(endpoint, { since, timeoutSeconds: 1 });
    await untilStatus(endpoint.apiKey, late, "completed");
    expect(await answerOf(endpoint, late)).toMatchObject([
      { data: { ok: true, result: { timedOut: true } } },
    ]);
  });

  it('is woken with all others, or with `wake: "one"` alone, the oldest first', async () => {
    const endpoint = await newEndpoint();
    const { apiKey } = endpoint;
    const ids: string[] = [];
    for (const wake of ["one", "one", "all", undefined]) {
      const executionId = await waitFor(endpoint, wake === undefined ? {} : { wake });
      await untilStatus(apiKey, executionId, "waiting_for_input");
      ids.push(executionId);
    }
    const [first = "", second = "", ...others] = ids;
    await endpoint.take({ build: "green" });
    for (const id of [first, ...others]) await untilStatus(apiKey, id, "completed");
    expect(await answerOf(endpoint, second)).toEqual([]);
    await endpoint.take({ build: "green" });
    await untilStatus(apiKey, second, "completed");
  });

  it('is woken alone by an event of a route with `wake: "one"`, the oldest first', async () => {
    const endpoint = await newEndpoint({}, []);
    const { apiKey, workflowId } = endpoint;
    const route = { workflowId, when: { path: "build", exists: true } };
    const routes = [
      { ...route, name: "builds", wake: "one" },
      { ...route, name: "all", wake: "all", when: { path: "all", equals: true } },
    ];
    await endpoint.change({ workflowId: null, routing: { routes } });
    const ids: string[] = [];
    for (let count = 0; count < 3; count += 1) {
      const either = { any: [GREEN, { path: "all", equals: true }] };
      const executionId = await waitFor(endpoint, { when: either });
      await untilStatus(apiKey, executionId, "waiting_for_input");
      ids.push(executionId);
    }
    const [first = "", ...others] = ids;
    await endpoint.take({ build: "green" });
    await untilStatus(apiKey, first, "completed");
    await endpoint.take({ all: true });
    for (const id of others) {
      await untilStatus(apiKey, id, "completed");
      const woken = { data: { result: { payload: { all: true } } } };
      expect(await answerOf(endpoint, id)).toMatchObject([woken]);
    }
    const record = await (await endpoint.call("")).json();
    expect(record).toMatchObject({ routing: { routes } });
  });

  it("passes its event to the next one if its execution is stopped", async () => {
    const endpoint = await newEndpoint();
    const { apiKey } = endpoint;
    const stopped = await waitFor(endpoint, { wake: "one" });
    await untilStatus(apiKey, stopped, "waiting_for_input");
    const next = await waitFor(endpoint, { wake: "one" });
    await untilStatus(apiKey, next, "waiting_for_input");
    await send(`${AGENT}/trigger/${stopped}/stop`, { method: "POST", token: apiKey });
    await endpoint.take({ build: "green" });
    await untilStatus(apiKey, next, "completed");
  });

  it("ends with a reason when its endpoint is deleted", async () => {
    const endpoint = await newEndpoint();
    const { apiKey } = endpoint;
    const waiting = await waitFor(endpoint);
    await untilStatus(apiKey, waiting, "waiting_for_input");
    expect((await endpoint.call("", { method: "DELETE" })).status).toBe(204);
    await untilStatus(apiKey, waiting, "completed");
    const message = "The endpoint of the event was deleted.";
    const error = { code: "endpoint_deleted", message };
    expect(await answerOf(endpoint, waiting)).toMatchObject([{ data: { ok: false, error } }]);
  });

  it("is refused for another account's endpoint, and for an invalid condition", async () => {
    const [own, other] = [await newEndpoint(), await newEndpoint()];
    const calls = [{ endpointId: other.endpointId }, { when: { path: "a", matches: "(a+)+" } }];
    for (const call of calls) {
      const executionId = await waitFor(own, call);
      await untilStatus(own.apiKey, executionId, "completed", "failed");
      expect(await answerOf(own, executionId)).toMatchObject([{ data: { ok: false } }]);
    }
  });
});
