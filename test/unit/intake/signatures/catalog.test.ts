import { expect, it } from "vitest";
import { createEndpointBody } from "../../../../src/contract/webhooks/endpoint.ts";
import { webhookPreset } from "../../../../src/contract/webhooks/presets.ts";
import { CATALOG, listedPreset } from "../../../../src/intake/signatures/catalog.ts";

it("lists senders by their names, none twice", () => {
  const names = CATALOG.map((preset) => listedPreset(preset).name);
  expect(names.slice(0, 3)).toEqual(["Adyen", "Amazon SNS", "App Store"]);
  expect(new Set(names).size).toBe(names.length);
  expect(names.length).toBeGreaterThan(50);
});

it.each(CATALOG)("%s is listed with settings that an endpoint takes", (preset) => {
  const listed = listedPreset(preset);
  expect(webhookPreset.parse(listed)).toEqual(listed);
  const { auth } = createEndpointBody.parse({ name: "a", auth: listed.auth });
  expect(auth[listed.method]).toMatchObject({ preset });
});

it.each([
  ["github", "HMAC-SHA-256 of the body"],
  ["hubspot", "HMAC-SHA-256 of the method, the URL, the body and the time"],
  ["adyen", "HMAC-SHA-256 of fields of the body"],
  ["aws-sns", "RSA signature of fields of the body and the time"],
  ["app-store", "a JSON Web Token in the body, whose claims become the payload"],
  ["braintree", "HMAC-SHA-1 of fields of the body"],
  ["contentful", "HMAC-SHA-256 of the method, the path, the headers that it lists and the body"],
  ["plivo", "HMAC-SHA-256 of the URL and the fields of the form and the id"],
  ["travis-ci", "RSA (SHA-1) signature of fields of the body"],
  ["plaid", "a JSON Web Token with the SHA-256 of the body"],
  ["monday", "a JSON Web Token, which does not cover the body"],
  ["postmark", "a user name and a password (Basic authentication)"],
] as const)("says what is verified of %s: %s", (preset, text) => {
  expect(listedPreset(preset).verifies).toBe(text);
});
