import { NAMED_MODELS } from "../agent/models/catalogue.ts";
import { usableModels as usable } from "../agent/models/registry.ts";
import { usableModels } from "../contract/models.ts";
import { settingsOf } from "../env.ts";
import { apiKey } from "./authentication.ts";
import { jsonResponse, route } from "./route.ts";

/** What executions can be run with. */
export const models = route({
  method: "GET",
  path: "/api/v1/models",
  operationId: "listModels",
  tag: "Executions",
  summary: "List the models",
  description:
    "Returns the models that are known to be usable on this deployment. Other models of the same providers can be named as well.",
  auth: apiKey(null, "management"),
  response: jsonResponse(200, "The models.", usableModels, {
    models: [
      {
        model: NAMED_MODELS.anthropic.name,
        contextWindow: 1_000_000,
        price: { input: 2, cachedInput: 0.2, output: 10 },
        source: "ANTHROPIC_API_KEY",
        supports: { tools: true, images: true, streaming: true },
        default: true,
      },
    ],
  }),
  handler: async ({ http }) => ({
    value: { models: usable({ settings: settingsOf(http.env), bindings: http.env }) },
  }),
});
