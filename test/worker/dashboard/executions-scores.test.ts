import { expect, it } from "vitest";
import * as z from "zod";
import { send, untilStatus } from "../../support/worker/client.ts";
import { leadsTo } from "../../support/worker/endpoint-room.ts";
import { newReader } from "../../support/worker/runs.ts";

it("stores the reader's score of a result, and shows the average on the workflow's page", async () => {
  const { apiKey, read, session } = await newReader();
  const post = (path: string, body: unknown) =>
    send(`/api/v1/workflows${path}`, { method: "POST", token: apiKey, body });
  const made = await post("", { name: "look", prompt: "Look.", model: "openai/finishes" });
  const { workflowId } = z.object({ workflowId: z.string() }).parse(await made.json());
  const ran = await post(`/${workflowId}/run`, {});
  const { executionId: id } = z.object({ executionId: z.uuid() }).parse(await ran.json());
  await untilStatus(apiKey, id, "completed");
  expect(await read(`/${id}`)).toContain(`action="/dashboard/executions/${id}/score"`);
  const score = { comment: " Right. ", helpful: "yes" };
  const scored = await session.post(`/dashboard/executions/${id}/score`, score);
  expect(leadsTo(scored)).toBe(`/dashboard/executions/${id}?tab=result#scores`);
  expect(await read(`/${id}`)).toMatch(/>helpful<.*>Yes<.*>Right\.</);
  const workflow = await session.get(`/dashboard/workflows/${workflowId}`);
  expect(await workflow.text()).toMatch(/>helpful<.*>1<.*openai\/finishes.*>1\.00<.*>1</);
});
