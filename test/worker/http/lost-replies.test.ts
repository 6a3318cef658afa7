import { abortAllDurableObjects } from "cloudflare:test";
import { expect, it } from "vitest";
import * as z from "zod";
import type { AccountApi } from "../../../src/contract/account.ts";
import { executionState } from "../../../src/contract/execution.ts";
import { accountStub } from "../../../src/durable/stubs.ts";
import {
  AGENT,
  env,
  newAccount,
  textIn,
  trigger,
  untilEvent,
} from "../../support/worker/client.ts";
import { sendWith } from "../../support/worker/other-service.ts";

const accepted = z.object({ executionId: z.uuid(), availableCredits: z.int() });

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

it.each([
  ["a trigger", {}],
  ["a trigger with an idempotency key", { "Idempotency-Key": "order-1007" }],
  ["a workflow", {}],
])(
  "a lost reply of an account leaves one execution of %s, accepted as the first",
  async (what, headers) => {
    const { apiKey: token, get, post } = await newAccount({ credits: 100 });
    const task = { prompt: "Do it.", maxCredits: 30 };
    let [path, body]: [string, object] = [`${AGENT}/trigger`, task];
    if (what === "a workflow") {
      const made = await post("/api/v1/workflows", { name: "greet", ...task });
      [path, body] = [`/api/v1/workflows/${await textIn(made, "workflowId")}/run`, {}];
    }
    const request = { method: "POST", token, body, headers };
    const response = await sendWith(accountsLosingOne(), path, request);
    expect(response.status).toBe(202);
    expect(response.headers.get("Idempotency-Replayed")).toBeNull();
    const { executionId, availableCredits } = accepted.parse(await response.json());
    expect(availableCredits).toBe(70);
    const list = await (await get(`${AGENT}/trigger/list`)).json();
    expect(list).toMatchObject({ executions: [{ executionId }], nextCursor: null });
    const credits = await (await get(`${AGENT}/credits`)).json();
    expect(credits).toMatchObject({ availableCredits: 70, reservedCredits: 30 });
  },
);

it("a call to an object that is reset is retried if it is idempotent", async () => {
  const { apiKey, get, post } = await newAccount();
  const id = await trigger(apiKey);
  await untilEvent(apiKey, id, "step.started");
  const path = `${AGENT}/trigger/${id}/status`;
  const { version } = executionState.parse(await (await get(path)).json());
  const waiting = get(`${path}?sinceVersion=${version}&waitSeconds=30`);
  // The account serves one after the other, so the wait has passed it once this is answered.
  await get(`${AGENT}/credits`);
  await abortAllDurableObjects();
  await post(`${AGENT}/trigger/${id}/stop`);
  const response = await waiting;
  expect(response.status).toBe(200);
  expect(executionState.parse(await response.json()).status).toBe("stopped");
});
