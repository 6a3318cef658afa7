import { expect, test } from "vitest";
import {
  createEndpointBody,
  endpointConfig,
  updateEndpointBody,
} from "../../../src/contract/webhooks/endpoint.ts";
import { configWith } from "../../support/endpoint.ts";
import { authOfPreset } from "../../support/preset-auth.ts";

const MOST = 60_000;

test("an endpoint's limit cannot exceed what its one object can serve", () => {
  for (const body of [createEndpointBody.partial({ name: true }), updateEndpointBody]) {
    expect(body.safeParse({ requestsPerMinute: MOST }).success).toBe(true);
    expect(body.safeParse({ requestsPerMinute: MOST + 1 }).success).toBe(false);
  }
});

test("an endpoint of a removed preset keeps its scheme as a custom one", () => {
  const auth = authOfPreset("github");
  const stored = { ...configWith(), auth: { ...auth, hmac: { ...auth.hmac, preset: "mandrill" } } };
  const { hmac } = endpointConfig.parse(stored).auth;
  expect(hmac).toMatchObject({ preset: null, scheme: auth.hmac?.scheme });
});
