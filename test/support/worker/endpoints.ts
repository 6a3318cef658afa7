import { expect } from "vitest";
import type * as z from "zod";
import { endpointRecord, endpointSaved } from "../../../src/contract/webhooks/endpoint.ts";
import { callsOf } from "./client.ts";
import { WEBHOOKS } from "./webhooks.ts";

type Body = Record<string, unknown>;
type SavedEndpoint = z.infer<typeof endpointSaved>;

/** Asks for a new endpoint. */
export const postEndpoint = (token: string, body: Body = {}) =>
  callsOf(token).post(WEBHOOKS, { name: "shop orders", ...body });

/** Asks for a change of an endpoint. */
export const patchEndpoint = (token: string, endpointId: string, body: Body) =>
  callsOf(token).patch(`${WEBHOOKS}/${endpointId}`, body);

/** Asks for an endpoint to be deleted. */
export const removeEndpoint = (token: string, endpointId: string) =>
  callsOf(token).remove(`${WEBHOOKS}/${endpointId}`);

/** What a custom path needs: one way of telling the sender from anybody. */
export const tokenAuth = { token: { secret: "a-token-of-the-tests-9qX4" } };

/** A custom path that nobody has. */
export const somePath = () => `acme/${crypto.randomUUID()}`;

/** A new endpoint. */
export const newEndpoint = async (token: string, body: Body = {}) =>
  saved(await postEndpoint(token, body), 201);

/** An endpoint after a change. */
export const changedEndpoint = async (token: string, endpointId: string, body: Body) =>
  saved(await patchEndpoint(token, endpointId, body), 200);

/** The endpoint in an answer of this status. */
export async function saved(response: Response, status: 200 | 201): Promise<SavedEndpoint> {
  expect(response.status, await response.clone().text()).toBe(status);
  return endpointSaved.strict().parse(await response.json());
}

/** An endpoint as it is read. */
export async function readEndpoint(token: string, endpointId: string) {
  const response = await callsOf(token).get(`${WEBHOOKS}/${endpointId}`);
  expect(response.status).toBe(200);
  return endpointRecord.strict().parse(await response.json());
}
