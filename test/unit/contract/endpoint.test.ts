import { expect, test } from "vitest";
import {
  createEndpointBody,
  endpointConfig,
  updateEndpointBody,
} from "../../../src/contract/webhooks/endpoint.ts";
import { configWith } from "../../support/endpoint.ts";
import { authOfPreset } from "../../support/preset-auth.ts";

const MOST = 60_000;

test.each([
  [
    "created",
    (requestsPerMinute: number) =>
      createEndpointBody.safeParse({ name: "Orders", requestsPerMinute }),
  ],
  ["changed", (requestsPerMinute: number) => updateEndpointBody.safeParse({ requestsPerMinute })],
])("an endpoint is not %s with a limit above what its one object can serve", (_, parse) => {
  expect(parse(MOST).success).toBe(true);
  expect(parse(MOST + 1).success).toBe(false);
});

test.each([
  ["mandrill", null],
  ["svix", "standard-webhooks"],
])("an endpoint with the former preset %s keeps its scheme, under the preset %s", (former, now) => {
  const auth = authOfPreset("github");
  const stored = { ...configWith(), auth: { ...auth, hmac: { ...auth.hmac, preset: former } } };
  const { hmac } = endpointConfig.parse(stored).auth;
  expect(hmac).toMatchObject({ preset: now, scheme: auth.hmac?.scheme });
});
