import { expect } from "vitest";
import * as z from "zod";
import { hookAnswer, logEntry, logPage } from "../../../src/contract/webhooks/log.ts";
import type { createWorkflowBody } from "../../../src/contract/workflow.ts";
import { newAccount, type Send, send } from "./client.ts";

export const WEBHOOKS = "/api/v1/webhooks";

/**
 * A new endpoint over HTTP, of a new account if none is given. With `inputs` it has a workflow of these;
 * without, it holds what it gets.
 */
export async function newEndpoint(
  settings: Record<string, unknown> = {},
  inputs?: z.input<typeof createWorkflowBody>["inputs"],
  owner?: Awaited<ReturnType<typeof newAccount>>,
) {
  const account = owner ?? (await newAccount());
  const token = account.apiKey;
  const workflowId = inputs === undefined ? null : await newWorkflow(token, inputs);
  const body = { name: "orders", workflowId, methods: ["POST", "GET"], ...settings };
  const made = await send(WEBHOOKS, { method: "POST", token, body });
  expect(made.status).toBe(201);
  const { endpointId } = z.object({ endpointId: z.string() }).parse(await made.json());

  type How = Send & { query?: string };
  const call = (path: string, how: Send = {}) =>
    send(`${WEBHOOKS}/${endpointId}${path}`, { token, ...how });
  const hook = (event: unknown, { query = "", ...how }: How = {}) =>
    send(`/hooks/${endpointId}${query}`, { method: "POST", body: event, ...how });

  return {
    ...account,
    endpointId,
    workflowId,
    /** A management call under the endpoint's own path. */
    call,
    /** Sends it an event, as a provider would. */
    hook,
    /** The same, which must be taken in: answers the request's id. */
    async take(event: unknown, how?: How): Promise<string> {
      const response = await hook(event, how);
      expect(response.status).toBeLessThan(300);
      return hookAnswer.parse(await response.json()).requestId;
    },
    async change(change: object): Promise<void> {
      expect((await call("", { method: "PATCH", body: change })).status).toBe(200);
    },
    entry: async (requestId: string) =>
      logEntry.parse(await (await call(`/requests/${requestId}`)).json()),
    /** A page of the log. */
    log: async (query = "") => logPage.parse(await (await call(`/requests${query}`)).json()),
  };
}

export type TestEndpoint = Awaited<ReturnType<typeof newEndpoint>>;

/** A new workflow of the account that asks for these inputs. */
export async function newWorkflow(
  token: string,
  inputs: z.input<typeof createWorkflowBody>["inputs"] = [],
): Promise<string> {
  const body = { name: "look", prompt: "Look at it.", inputs };
  const response = await send("/api/v1/workflows", { method: "POST", token, body });
  expect(response.status).toBe(201);
  return z.object({ workflowId: z.string() }).parse(await response.json()).workflowId;
}
