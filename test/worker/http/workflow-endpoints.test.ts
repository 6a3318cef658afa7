import { expect, it } from "vitest";
import { SYSTEM } from "../../../src/contract/actor.ts";
import { inboxStub } from "../../../src/durable/stubs.ts";
import { changeEndpoint, changeWithEndpoints } from "../../../src/http/webhooks/config-updates.ts";
import { insertEndpoint, updateEndpoint } from "../../../src/records/endpoints.ts";
import { deleteWorkflow, insertWorkflow } from "../../../src/records/workflows.ts";
import { configWith, workflowWith } from "../../support/endpoint.ts";
import { accepting, env, requestOf } from "../../support/worker/inboxes.ts";

it("an endpoint that is attached while its workflow is deleted is told so", async () => {
  const accountId = `acc_${crypto.randomUUID()}`;
  const workflow = workflowWith();
  const { workflowId } = workflow;
  await insertWorkflow(
    env.DB,
    accountId,
    { definition: workflow, createdAt: 1, updatedAt: 1 },
    100,
  );
  const config = configWith({ accountId, workflow: null });
  const { endpointId } = config;
  await changeEndpoint(env, endpointId, () => insertEndpoint(env.DB, config, 100));

  const deleted = await changeWithEndpoints(env, accountId, workflowId, async () => {
    const attached = { ...config, workflow, updatedAt: 2 };
    await changeEndpoint(env, endpointId, () => updateEndpoint(env.DB, attached));
    return deleteWorkflow(env.DB, accountId, workflowId, { now: 3, by: SYSTEM.by });
  });

  expect(deleted).toBe(true);
  const arrival = { configVersion: 2, request: requestOf(), decision: accepting() };
  const receipt = await inboxStub(env, endpointId).accept(arrival);
  expect(receipt).toMatchObject({ kind: "outdated", config: { version: 3, workflow: null } });
});
