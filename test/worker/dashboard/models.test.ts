import { expect, inject, it } from "vitest";
import { modelProviderRecord } from "../../../src/contract/models.ts";
import { allPages } from "../../support/worker/client.ts";
import { newBrowser } from "../../support/worker/dashboard.ts";

it("a model provider is added, tested, made the default and deleted on its page", async () => {
  const { apiKey, me } = await newBrowser();
  const { submit, get } = me;
  const added = await submit("/dashboard/models", {
    name: "mine",
    kind: "openai-compatible",
    baseUrl: inject("modelServerUrl"),
    apiKey: "a-key-of-the-account-7Qx9",
    models: "finishes\nscripted",
  });
  expect(added.html).toContain("Provider added");
  expect(added.html).toContain("…7Qx9");
  expect(added.html).not.toContain("a-key-of-the-account");
  const list = "/api/v1/model-providers?limit=2";
  const [provider] = await allPages(apiKey, list, "modelProviders", modelProviderRecord);
  const path = `/dashboard/models/${provider?.providerId}`;
  const tested = await submit(`${path}/test`, { model: "finishes" });
  expect(tested.html).toContain("mine/finishes: It works");
  const first = await submit(`${path}/test`, { model: "" });
  expect(first.html).toContain("mine: It works");
  const chosen = await submit("/dashboard/models/default", { model: "mine/finishes" });
  expect(chosen.html).toContain("Default set");
  expect(await (await get("/dashboard/executions/new")).text()).toContain(
    "mine/finishes (default)",
  );
  expect((await submit(`${path}/delete`)).html).not.toContain("mine/finishes");
});
