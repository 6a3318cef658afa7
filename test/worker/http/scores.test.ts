import { expect, it } from "vitest";
import * as z from "zod";
import { workflowRecord } from "../../../src/contract/workflow.ts";
import {
  AGENT,
  expectProblem,
  newAccount,
  send,
  untilStatus,
} from "../../support/worker/client.ts";

it("averages the scores of a workflow's executions by revision and model; a second one by a caller replaces the first", async () => {
  const { apiKey: token } = await newAccount();
  const post = (path: string, body: unknown) => send(path, { method: "POST", token, body });
  const body = { name: "look", prompt: "Look.", model: "openai/finishes" };
  const made = await post("/api/v1/workflows", body);
  const { workflowId } = workflowRecord.parse(await made.json());
  const ran = async () => {
    const answer = await post(`/api/v1/workflows/${workflowId}/run`, {});
    const { executionId } = z.object({ executionId: z.uuid() }).parse(await answer.json());
    await untilStatus(token, executionId, "completed");
    return executionId;
  };
  const [first, second] = [await ran(), await ran()];
  const score = (id: string, value: unknown) =>
    post(`${AGENT}/trigger/${id}/scores`, { name: "helpful", value, comment: "So it is." });
  expect((await score(first, true)).status).toBe(201);
  await score(second, true);
  await score(second, false);
  const get = await send(`/api/v1/workflows/${workflowId}`, { token });
  expect(workflowRecord.parse(await get.json()).scores).toEqual([
    { name: "helpful", revision: 1, model: "openai/finishes", average: 0.5, count: 2 },
  ]);
  const list = await send(`${AGENT}/trigger/${second}/scores`, { token });
  expect(await list.json()).toMatchObject({
    scores: [{ name: "helpful", value: false, comment: "So it is." }],
  });
  await expectProblem(await score(crypto.randomUUID(), true), 404, "not_found");
  await expectProblem(await score(first, "good"), 400, "invalid_request");
});
