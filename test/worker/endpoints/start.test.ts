import { expect, it } from "vitest";
import type { EndpointConfig } from "../../../src/contract/webhooks/endpoint.ts";
import type { WorkItem } from "../../../src/contract/webhooks/inbox.ts";
import { startBatch } from "../../../src/endpoints/start.ts";
import { configWith, routeWith } from "../../support/endpoint.ts";
import { env } from "../../support/worker/inboxes.ts";

const deleted = { routes: [routeWith({ name: "paid", workflow: null })] };

it.each<[string, Partial<EndpointConfig>, Partial<WorkItem>]>([
  ["its configuration is missing", {}, { configVersion: 2 }],
  [`there is no route ""`, { workflow: null }, {}],
  [`there is no route "refunded"`, { routing: deleted }, { route: "refunded" }],
  ["the workflow of its route is deleted", { routing: deleted }, { route: "paid" }],
])("explains work that cannot start: %s", async (cause, ofConfig, ofItem) => {
  const config = configWith(ofConfig);
  const item: WorkItem = {
    requestId: crypto.randomUUID(),
    executionId: crypto.randomUUID(),
    origin: "webhook",
    configVersion: config.version,
    work: { kind: "mapped", inputs: {} },
    ...ofItem,
  };
  const batch = { configs: [config], items: [item], more: false };
  await expect(startBatch(env, config.endpointId, batch)).rejects.toThrow(
    `cannot start work: ${cause}`,
  );
});
