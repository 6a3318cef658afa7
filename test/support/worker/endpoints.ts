import { expect } from "vitest";
import type * as z from "zod";
import { endpointRecord, endpointSaved } from "../../../src/contract/webhooks/endpoint.ts";
import { workflowRecord } from "../../../src/contract/workflow.ts";
import { send } from "./client.ts";

export const WEBHOOKS = "/api/v1/webhooks";

type Body = Record<string, unknown>;
export type SavedEndpoint = z.infer<typeof endpointSaved>;

/** Asks for a new endpoint. */
export const postEndpoint = (token: string, body: Body = {}) =>
  send(WEBHOOKS, { method: "POST", token, body: { name: "shop orders", ...body } });

/** Asks for a change of an endpoint. */
export const patchEndpoint = (token: string, endpointId: string, body: Body) =>
  send(`${WEBHOOKS}/${endpointId}`, { method: "PATCH", token, body });

/** Asks for an endpoint to be deleted. */
export const removeEndpoint = (token: string, endpointId: string) =>
  send(`${WEBHOOKS}/${endpointId}`, { method: "DELETE", token });

/** What a custom path needs: one way of telling the sender from anybody. */
export const tokenAuth = { token: { secret: "a-token-of-the-tests-9qX4" } };

/** A custom path that nobody has. */
export const somePath = () => `acme/${crypto.randomUUID()}`;

/** A new endpoint. */
export async function newEndpoint(token: string, body: Body = {}): Promise<SavedEndpoint> {
  return await saved(await postEndpoint(token, body), 201);
}

/** An endpoint after a change. */
export async function changedEndpoint(
  token: string,
  endpointId: string,
  body: Body,
): Promise<SavedEndpoint> {
  return await saved(await patchEndpoint(token, endpointId, body), 200);
}

/** The endpoint in an answer of this status. */
export async function saved(response: Response, status: 200 | 201): Promise<SavedEndpoint> {
  expect(response.status, await response.clone().text()).toBe(status);
  return endpointSaved.strict().parse(await response.json());
}

/** An endpoint as it is read. */
export async function readEndpoint(token: string, endpointId: string) {
  const response = await send(`${WEBHOOKS}/${endpointId}`, { token });
  expect(response.status).toBe(200);
  return endpointRecord.strict().parse(await response.json());
}

/** The id of a new workflow whose inputs, none of them required, have these names. */
export async function newWorkflow(token: string, inputs: string[] = []): Promise<string> {
  const body = { name: "look", prompt: "Look.", inputs: inputs.map((name) => ({ name })) };
  const response = await send("/api/v1/workflows", { method: "POST", token, body });
  expect(response.status).toBe(201);
  return workflowRecord.parse(await response.json()).workflowId;
}
