import { expect, it } from "vitest";
import { ModelProviders } from "../../../src/accounts/model-providers.ts";
import { accountStorage } from "../../support/table-storage.ts";

const NOW = 1_800_000_000_000;
const RULE = {
  kind: "openai-compatible" as const,
  baseUrl: "https://models.example/v1",
  last4: "3xYz",
  models: [],
};

it("a provider was updated when it was created, and later when it is changed", () => {
  const providers = new ModelProviders(accountStorage(), () => {
    throw new Error("No model is asked.");
  });
  const provider = { providerId: "prov_1", name: "gateway", rule: RULE, sealedValue: "sealed" };
  const createdAt = new Date(NOW).toISOString();
  const record = { createdAt, updatedAt: createdAt };
  expect(providers.add(provider, NOW)).toMatchObject({ kind: "added", record });
  expect(providers.change("prov_1", RULE, null, NOW + 5)).toMatchObject({
    createdAt,
    updatedAt: new Date(NOW + 5).toISOString(),
  });
});
