import { createExecutionContext, waitOnExecutionContext } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { app } from "../../../src/app.ts";
import type { AccountApi } from "../../../src/contract/account.ts";
import { workflowRecord } from "../../../src/contract/workflow.ts";
import { accountStub } from "../../../src/durable/stubs.ts";
import { AGENT, env, newAccount, ORIGIN, type Send, send } from "../../support/worker/client.ts";

const accepted = z.object({ executionId: z.uuid(), availableCredits: z.int() });
const list = z.object({ executions: z.array(z.object({ executionId: z.uuid() })) });

/** Accounts whose first answer to `accept` is lost on its way. */
function accountsLosingOne() {
  let lost = false;
  const getByName = (name: string): Pick<AccountApi, "accept"> => ({
    async accept(...request) {
      const reply = await accountStub(env, name).accept(...request);
      if (lost) return reply;
      lost = true;
      throw new Error("the answer is lost");
    },
  });
  return { ACCOUNT: { getByName } };
}

/** Posts to a service whose way back from the account fails once. */
async function postOverBadLine(path: string, { token, body, headers }: Send) {
  const context = createExecutionContext();
  const request = new Request(ORIGIN + path, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${token}`,
      "Content-Type": "application/json",
      ...headers,
    },
    body: JSON.stringify(body),
  });
  const response = await app.fetch(request, { ...env, ...accountsLosingOne() }, context);
  await waitOnExecutionContext(context);
  return response;
}

async function expectOneRun(response: Response, token: string) {
  expect(response.status).toBe(202);
  expect(response.headers.get("Idempotency-Replayed")).toBeNull();
  const { executionId, availableCredits } = accepted.parse(await response.json());
  expect(availableCredits).toBe(70);
  const found = await send(`${AGENT}/trigger/list`, { token });
  expect(list.parse(await found.json()).executions).toMatchObject([{ executionId }]);
  const credits = await send(`${AGENT}/credits`, { token });
  expect(await credits.json()).toMatchObject({ availableCredits: 70, reservedCredits: 30 });
}

describe("an account's answer that is lost", () => {
  it.each([
    ["without an idempotency key", {}],
    ["with an idempotency key", { "Idempotency-Key": "order-1007" }],
  ])("leaves one execution of a trigger %s, which is answered as the first", async (_, headers) => {
    const { apiKey: token } = await newAccount({ credits: 100 });
    const body = { prompt: "Do it.", maxCredits: 30 };
    const response = await postOverBadLine(`${AGENT}/trigger`, { token, body, headers });
    await expectOneRun(response, token);
  });

  it("leaves one execution of a workflow", async () => {
    const { apiKey: token } = await newAccount({ credits: 100 });
    const workflows = "/api/v1/workflows";
    const body = { name: "greet", prompt: "Say hello.", maxCredits: 30 };
    const made = await send(workflows, { method: "POST", token, body });
    const { workflowId } = workflowRecord.parse(await made.json());
    const path = `${workflows}/${workflowId}/run`;
    await expectOneRun(await postOverBadLine(path, { token, body: {} }), token);
  });
});
