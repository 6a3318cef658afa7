import { expect, inject, test } from "vitest";
import { executionState, executionStatus, isFinal } from "../../src/contract/execution.ts";
import { sleep } from "../../src/lib/async.ts";
import { createAccount } from "../support/client.ts";
import { byStep, call, callsTools, finishes } from "../support/model-server/behaviour.ts";
import { promptOf } from "../support/model-server/chat-request.ts";
import { startModelServer } from "../support/model-server/server.ts";
import { untilEnd } from "../support/until-end.ts";
import { Webhooks } from "../support/webhooks.ts";

const service = inject("service");
const model = await untilEnd(startModelServer({ record: false, port: service.modelPort }));
model.script("waiter", (request) => {
  const [endpointId = "", job] = promptOf(request).split(" ");
  const wait = { endpointId, when: { path: "job", equals: job }, timeoutSeconds: 300 };
  const steps = byStep(callsTools(call("wait_for_event", wait)), finishes("Woken."));
  return steps(request);
});

test("ends each execution once when a stop meets its completion", async () => {
  const client = await createAccount(service);
  const ids = await atOnce(30, () => client.trigger({ prompt: "Say hello" }));
  const stops = await Promise.all(
    ids.map((id) => client.request("POST", `/trigger/${id}/stop`, {})),
  );
  expect(stops.map(({ status }) => status)).toEqual(Array(30).fill(200));
  for (const [index, id] of ids.entries()) {
    const told = stopped.parse(await stops[index]?.json());
    expect(await client.status(id)).toMatchObject(told);
    const statuses = (await client.events(id)).filter(({ type }) => type === "status");
    expect(statuses.filter(({ data }) => isFinal(executionStatus.parse(data.status)))).toHaveLength(
      1,
    );
  }
});

test("applies each accepted message, or reports that the execution has ended", async () => {
  const client = await createAccount(service);
  const ids = await atOnce(30, () => client.trigger({ prompt: "Say hello" }));
  const answers = await Promise.all(
    ids.map((id) => client.request("POST", `/trigger/${id}/message`, { message: "Say goodbye" })),
  );
  await Promise.all(ids.map((id) => client.ended(id)));
  for (const [index, id] of ids.entries()) {
    const events = await client.events(id);
    const applied = events.filter(({ type }) => type === "message.applied");
    expect([202, 409]).toContain(answers[index]?.status);
    expect(applied).toHaveLength(answers[index]?.status === 202 ? 1 : 0);
  }
});

test("answers each of two waiting executions when their events arrive close together", async () => {
  const client = await createAccount(service);
  const hooks = new Webhooks(service, client.apiKey);
  for (let apartMs = 0; apartMs < 12; apartMs += 1) {
    const { endpointId, url } = await hooks.endpoint({ name: "jobs" });
    const wait = async (job: string) => {
      const id = await client.trigger({ prompt: `${endpointId} ${job}`, model: "openai/waiter" });
      const status = async () => (await client.status(id)).status;
      await expect.poll(status).toBe("waiting_for_input");
      return id;
    };
    const ids = [await wait("first"), await wait("second")];
    // The newer call's event comes first: the older call has been looked at when its own arrives.
    const sent = post(url, { job: "second" });
    await sleep(apartMs);
    for (const { status } of [await post(url, { job: "first" }), await sent])
      expect(status).toBeLessThan(300);
    for (const id of ids) {
      expect(await client.ended(id), `${apartMs} ms apart`).toMatchObject({ status: "completed" });
    }
  }
});

const stopped = executionState.pick({ status: true, statusDetail: true, version: true });

function atOnce<T>(count: number, act: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, act));
}

function post(url: string, body: object): Promise<Response> {
  const headers = { "Content-Type": "application/json" };
  return fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
}
