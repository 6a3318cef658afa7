import { expect, it } from "vitest";
import { createEndpointBody } from "../../../../../src/contract/webhooks/endpoint.ts";
import { webhookPreset } from "../../../../../src/contract/webhooks/signature.ts";
import { CATALOG, listedPreset } from "../../../../../src/intake/signatures/presets.ts";

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
