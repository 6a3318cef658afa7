import { NAMED_MODELS } from "../agent/models/catalogue.ts";
import { type ModelEnvironment, usableModels as usable } from "../agent/models/registry.ts";
import type { Authorized } from "../contract/account.ts";
import { defaultModelBody } from "../contract/model-providers.ts";
import { usableModels } from "../contract/models.ts";
import { accountStub } from "../durable/stubs.ts";
import { settingsOf } from "../env.ts";
import { actorOf } from "./actor.ts";
import { assertModels } from "./agent-settings.ts";
import { apiKey } from "./authentication.ts";
import { jsonBody } from "./body.ts";
import { callWithRetry } from "./call-with-retry.ts";
import type { Http } from "./context.ts";
import { jsonResponse, route } from "./route.ts";

/** Returns where the models of an account are: the service's, and its own. */
async function modelPlace(
  { env }: Http,
  { accountId }: Pick<Authorized, "accountId">,
): Promise<ModelEnvironment> {
  const own = await callWithRetry(() => accountStub(env, accountId).models());
  return { settings: settingsOf(env), bindings: env, ...own };
}

/** What executions can be run with. */
export const models = route("GET", "/api/v1/models", {
  operationId: "listModels",
  summary: "List the models",
  description:
    "Returns the models that are known to be usable: those of the service and of the account's own providers. Other models of the same providers can be named as well.",
  auth: apiKey(null, "management"),
  response: jsonResponse(200, "The models.", usableModels),
  handler: async ({ http, caller }) => ({
    value: { models: usable(await modelPlace(http, caller)) },
  }),
});

/** Chooses the model of executions that name none. */
export const setDefaultModel = route("PUT", "/api/v1/models/default", {
  operationId: "setDefaultModel",
  summary: "Set the default model",
  description:
    "Sets the model of the account's executions that name none; null returns to the default of the service. Answers with all models, the default first.",
  auth: apiKey("models:write", "management"),
  body: jsonBody(defaultModelBody, { model: NAMED_MODELS.anthropic.name }),
  response: jsonResponse(200, "The models.", usableModels),
  async handler({ http, caller, body: { model } }) {
    const { accountId } = caller;
    if (model !== null) await assertModels({ model, fallbacks: [] }, http.env, accountId);
    await callWithRetry(() =>
      accountStub(http.env, accountId).setDefaultModel(model, actorOf(http, caller)),
    );
    return { value: { models: usable(await modelPlace(http, caller)) } };
  },
});
