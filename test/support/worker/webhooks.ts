import { expect } from "vitest";
import * as z from "zod";
import type { createEndpointBody } from "../../../src/contract/webhooks/endpoint.ts";
import {
  hookAnswer,
  type LogEntry,
  logEntry,
  logPage,
} from "../../../src/contract/webhooks/log.ts";
import type { createWorkflowBody } from "../../../src/contract/workflow.ts";
import { newAccount, type Send, send } from "./client.ts";

export const WEBHOOKS = "/api/v1/webhooks";

/** An endpoint of an account of its own, over HTTP. */
export interface TestEndpoint {
  apiKey: string;
  keyId: string;
  accountId: string;
  endpointId: string;
  workflowId: string | null;
  /** Sends it an event, as a provider would. */
  hook(body: unknown, how?: Send & { query?: string }): Promise<Response>;
  /** The same, which must be taken in: answers the request's id. */
  take(body: unknown, how?: Send & { query?: string }): Promise<string>;
  /** A management call under the endpoint's own path. */
  call(path: string, how?: Send): Promise<Response>;
  change(body: z.input<typeof createEndpointBody> | Record<string, unknown>): Promise<void>;
  entry(requestId: string): Promise<LogEntry>;
  /** A page of the log. */
  log(query?: string): Promise<z.infer<typeof logPage>>;
}

/**
 * A new endpoint, of a new account if none is given. With `inputs` it has a workflow of these; without, it
 * holds what it gets.
 */
export async function newEndpoint(
  settings: Record<string, unknown> = {},
  inputs?: z.input<typeof createWorkflowBody>["inputs"],
  owner?: Awaited<ReturnType<typeof newAccount>>,
): Promise<TestEndpoint> {
  const account = owner ?? (await newAccount());
  const token = account.apiKey;
  const workflowId = inputs === undefined ? null : await newWorkflow(token, inputs);
  const body = { name: "orders", workflowId, methods: ["POST", "GET"], ...settings };
  const made = await send(WEBHOOKS, { method: "POST", token, body });
  expect(made.status).toBe(201);
  const { endpointId } = z.object({ endpointId: z.string() }).parse(await made.json());

  const call = (path: string, how: Send = {}) =>
    send(`${WEBHOOKS}/${endpointId}${path}`, { token, ...how });
  const hook: TestEndpoint["hook"] = (event, { query = "", ...how } = {}) =>
    send(`/hooks/${endpointId}${query}`, { method: "POST", body: event, ...how });

  return {
    ...account,
    endpointId,
    workflowId,
    call,
    hook,
    async take(event, how) {
      const response = await hook(event, how);
      expect(response.status).toBeLessThan(300);
      return hookAnswer.parse(await response.json()).requestId;
    },
    async change(change) {
      expect((await call("", { method: "PATCH", body: change })).status).toBe(200);
    },
    entry: async (requestId) => logEntry.parse(await (await call(`/requests/${requestId}`)).json()),
    log: async (query = "") => logPage.parse(await (await call(`/requests${query}`)).json()),
  };
}

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
