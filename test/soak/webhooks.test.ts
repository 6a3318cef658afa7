import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { eventually, flood, SECRET } from "../fault/support/flood.ts";
import { createAccount } from "../support/client.ts";
import { startTestService, type TestService } from "../support/service.ts";
import { Webhooks } from "../support/webhooks.ts";
import { TIMEOUT_MS, WEBHOOKS } from "./size.ts";

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.close());

it(`has a log entry and a completed execution for each of ${WEBHOOKS} webhooks at full speed`, async () => {
  const quotas = { activeExecutions: 1_000_000, webhookRequestsPerMinute: 1_000_000 };
  const client = await createAccount(service, { credits: 5 * WEBHOOKS, quotas });
  const hooks = new Webhooks(service, client.apiKey);
  const workflowId = await hooks.workflow({ name: "greet", prompt: "Say hello", maxCredits: 5 });
  const { url, endpointId } = await hooks.endpoint({
    name: "flood",
    workflowId,
    auth: { hmac: { preset: "github", secret: SECRET } },
    requestsPerMinute: 1_000_000,
  });

  const ids = Array.from({ length: WEBHOOKS }, () => randomUUID());
  const begun = performance.now();
  const sent = await flood(url, ids);
  const accepted = performance.now();
  await eventually(async () => !(await hooks.working(endpointId)), TIMEOUT_MS);
  const finished = performance.now();

  const log = await hooks.log(endpointId);
  const firsts = new Map(log.map(({ requestId, executionId }) => [requestId, executionId]));
  for (const { answer } of sent) expect(firsts.get(answer.requestId)).toBe(answer.executionId);
  const runs = (await client.list()).filter(({ origin }) => origin === "webhook");
  expect(runs).toHaveLength(WEBHOOKS);
  expect(new Set(runs.map(({ status }) => status))).toEqual(new Set(["completed"]));
  expect(new Set(runs.map(({ executionId }) => executionId))).toEqual(
    new Set(sent.map(({ answer }) => answer.executionId)),
  );
  const perSecond = (from: number, to: number) => Math.round(WEBHOOKS / ((to - from) / 1_000));
  console.info(
    `${WEBHOOKS} webhooks: ${perSecond(begun, accepted)} accepted a second, ${perSecond(begun, finished)} completed a second.`,
  );
});
