import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually, flood, SECRET, type Sent } from "../fault/support/flood.ts";
import { type Client, createAccount } from "../support/client.ts";
import { databaseFaults } from "../support/databases.ts";
import { choosePort } from "../support/ports.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { Webhooks } from "../support/webhooks.ts";
import { levelsOff, type Memory, memoryOf } from "./memory.ts";
import { TIMEOUT_MS, WEBHOOKS } from "./size.ts";

/** What arrives is awaited this many times, so that memory is compared at rest, however busy the machine is. */
const PARTS = 4;

describe(`after ${WEBHOOKS} webhooks at full speed`, () => {
  let service: TestService;
  let client: Client;
  let hooks: Webhooks;
  let endpointId: string;
  const sent: Sent[] = [];
  const memory: Memory[] = [];

  beforeAll(async () => {
    const inspect = await choosePort();
    service = await startTestService({}, { inspect });
    const quotas = { activeExecutions: 1_000_000, webhookRequestsPerMinute: 1_000_000 };
    client = await createAccount(service, { credits: 5 * WEBHOOKS, quotas });
    hooks = new Webhooks(service, client.apiKey);
    const workflowId = await hooks.workflow({ name: "greet", prompt: "Say hello", maxCredits: 5 });
    const endpoint = await hooks.endpoint({
      name: "flood",
      workflowId,
      auth: { hmac: { preset: "github", secret: SECRET } },
      requestsPerMinute: 60_000,
    });
    endpointId = endpoint.endpointId;

    let working = 0;
    for (let part = 0; part < PARTS; part += 1) {
      const begun = performance.now();
      const ids = Array.from({ length: WEBHOOKS / PARTS }, () => randomUUID());
      sent.push(...(await flood(endpoint.url, ids)));
      await eventually(async () => !(await hooks.working(endpointId)), TIMEOUT_MS);
      working += performance.now() - begun;
      memory.push(await memoryOf(process.pid, inspect));
    }

    const perSecond = Math.round(WEBHOOKS / (working / 1_000));
    const inMebibytes = (name: keyof Memory) =>
      memory.map((part) => (part[name] / 2 ** 20).toFixed(1)).join(", ");
    console.info(
      `${WEBHOOKS} webhooks: ${perSecond} completed a second. After each quarter, at rest and after a collection: heap of the Worker ${inMebibytes("heap")}, workerd ${inMebibytes("resident")} MiB.`,
    );
  });
  afterAll(() => service.close());

  test("each has a log entry and an execution of its own, which completed", async () => {
    const log = await hooks.log(endpointId);
    const firsts = new Map(log.map(({ requestId, executionId }) => [requestId, executionId]));
    for (const { answer } of sent) expect(firsts.get(answer.requestId)).toBe(answer.executionId);
    const runs = (await client.list()).filter(({ origin }) => origin === "webhook");
    expect(runs).toHaveLength(WEBHOOKS);
    expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(["completed"]));
    expect(new Set(runs.map(({ executionId }) => executionId))).toEqual(
      new Set(sent.map(({ answer }) => answer.executionId)),
    );
  });

  test("the memory of workerd has levelled off", () => {
    expect(levelsOff(memory), JSON.stringify(memory)).toBe(true);
  });

  test("the service has logged no error, and its databases are whole", async () => {
    expect(service.errors()).toEqual([]);
    await service.kill9();
    expect(await databaseFaults(service.stateDir)).toEqual([]);
  });
});
