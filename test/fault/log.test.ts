import { expect, test } from "vitest";
import * as z from "zod";
import type { LogLine } from "../../scripts/local/runtime.ts";
import { createAccount } from "../support/client.ts";
import { startReceiver } from "../support/receiver.ts";
import { startTestRuntime } from "../support/runtime.ts";
import { untilEnd } from "../support/until-end.ts";
import { githubRequest, hookAnswer, Webhooks } from "../support/webhooks.ts";

const CALLBACK_SECRET = "planted-callback-secret";
const ENDPOINT_SECRET = "planted-endpoint-secret";

const written: LogLine[] = [];
const receiver = await untilEnd(startReceiver());
const runtime = await untilEnd(startTestRuntime({ onLog: (line) => written.push(line) }));
const client = await createAccount(runtime);
const webhooks = new Webhooks(runtime, client.apiKey);

const line = z.looseObject({ level: z.enum(["info", "warn", "error"]), event: z.string() });

/** The lines of these fields, once there are as many. */
async function told(fields: Record<string, unknown>, count = 1) {
  const matching = () =>
    written
      // The runtime's own words are no JSON.
      .filter(({ message }) => message.startsWith("{"))
      .map(({ message }) => line.parse(JSON.parse(message)))
      .filter((one) => Object.entries(fields).every(([name, value]) => one[name] === value));
  await expect
    .poll(() => matching().length, { timeout: 30_000, message: JSON.stringify(fields) })
    .toBeGreaterThanOrEqual(count);
  return matching();
}

test("an operator can follow an execution from its request to its callback", async () => {
  receiver.answerWith(({ attempt }) => (attempt === 1 ? 500 : 200));
  const executionId = await client.trigger({
    prompt: "Run ```\nreturn 2 + 3; // planted-prompt\n```",
    inputs: { note: "planted-input" },
    callbackUrl: `${receiver.url}?token=planted-in-url`,
    callbackSecret: CALLBACK_SECRET,
    metadata: { note: "planted-metadata" },
  });
  await client.ended(executionId);
  const { accountId } = client;
  await told({ event: "request", route: "/api/v1/agent/trigger", status: 202, executionId });
  const [end] = await told({ event: "execution", executionId });
  const { creditsConsumed } = await client.result(executionId);
  const model = "builtin/demo";
  expect(end).toMatchObject({ accountId, model, status: "completed", credits: creditsConsumed });
  const [failed] = await told({ event: "callback", executionId, outcome: "failed" });
  expect(failed).toMatchObject({ attempt: 1, status: 500 });
  const [again] = await told({ event: "callback", executionId, outcome: "delivered" });
  expect(again).toMatchObject({ attempt: 2, status: 200 });
});

test("an operator can follow a webhook to its execution, and sees why one was refused", async () => {
  const workflowId = await webhooks.workflow({
    name: "n",
    prompt: "Run ```return 2 + 3;```",
    inputs: [],
  });
  const auth = { hmac: { preset: "github" as const, secret: ENDPOINT_SECRET } };
  const { endpointId, url } = await webhooks.endpoint({ name: "n", workflowId, auth });
  const body = JSON.stringify({ text: "planted-payload" });
  const hook = `${url}?planted-query=1`;
  const taken = await fetch(hook, githubRequest(ENDPOINT_SECRET, body));
  const { executionId } = hookAnswer.parse(await taken.json());
  await fetch(hook, githubRequest("planted-wrong-secret", body));
  const route = "/hooks/*";
  const [accepted] = await told({ event: "request", route, status: 202, executionId });
  const [refused] = await told({ event: "request", route, code: "unauthorized", status: 401 });
  expect(accepted?.endpointId).toBe(refused?.endpointId);
  expect(endpointId.startsWith(String(accepted?.endpointId))).toBe(true);
  expect(await told({ event: "execution", executionId })).toMatchObject([
    { origin: "webhook", workflowId, status: "completed" },
  ]);
  const text = written.map(({ message }) => message).join("\n");
  expect(text).not.toContain(endpointId);
});

test("no line of the service has a secret, a prompt or a payload", async () => {
  const text = written.map(({ message }) => message).join("\n");
  expect(text).toContain(client.accountId);
  for (const planted of ["planted", client.apiKey, runtime.adminToken, receiver.url]) {
    expect(text).not.toContain(planted);
  }
});
