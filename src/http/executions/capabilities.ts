import { NAMED_MODELS } from "../../agent/models/catalogue.ts";
import { modelsFor } from "../../agent/models/registry.ts";
import { type Capabilities, capabilities as capabilitiesSchema } from "../../contract/models.ts";
import { TOOL_NAMES, TOOLS } from "../../contract/tools/names.ts";
import { createSearchClient } from "../../outbound/search/client.ts";
import { apiKey } from "../authentication.ts";
import { modelPlace } from "../models.ts";
import { jsonResponse, route } from "../route.ts";
import { AGENT } from "./session.ts";

/** What an execution can be given on this deployment. */
export const capabilities = route("GET", `${AGENT}/capabilities`, {
  operationId: "getCapabilities",
  summary: "Get the models and tools",
  description:
    "Returns the models to choose from and the built-in tools of this service. `finish` is always allowed, and `ask_user` whenever an execution is interactive.",
  auth: apiKey(null, "management"),
  response: jsonResponse(200, "The models and tools.", capabilitiesSchema, {
    models: ["builtin/demo", NAMED_MODELS.anthropic.name],
    modelForms: ["builtin/demo", "anthropic/<model>"],
    tools: toolsOf(() => true),
  }),
  async handler({ http, caller }) {
    const place = await modelPlace(http, caller);
    const { settings } = place;
    const canSearch = createSearchClient(settings) !== null;
    return {
      value: {
        ...modelsFor(place),
        tools: toolsOf((tool) => tool !== "search_web" || canSearch),
      },
    };
  },
});

function toolsOf(isThere: (tool: string) => boolean): Capabilities["tools"] {
  return TOOL_NAMES.filter(isThere).map((name) => {
    const { about: description, price: credits } = TOOLS[name];
    return { name, description, credits };
  });
}
