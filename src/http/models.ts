import { NAMED_MODELS } from "../agent/models/catalogue.ts";
import { createModel, trialModelOf, usableModels } from "../agent/models/registry.ts";
import { tryModel } from "../agent/models/trial.ts";
import type { Authorized } from "../contract/account.ts";
import {
  createModelProviderBody,
  defaultModelBody,
  type ModelProviderRecord,
  modelProviderRecord,
  modelTrial,
  type ProviderKind,
  providerContext,
  testModelProviderBody,
  type UsableModel,
  updateModelProviderBody,
  usableModels as usableModelsSchema,
} from "../contract/models.ts";
import { OPENAI_URL, type Settings, settingsOf } from "../env.ts";
import { isSameOrigin } from "../lib/http.ts";
import { last4 } from "../lib/text.ts";
import { openProviders } from "../outbound/model-providers.ts";
import { assertAddress, assertModels, sealSecret, serviceHosts } from "./agent-settings.ts";
import { apiKey as keyAuth } from "./authentication.ts";
import type { Http } from "./context.ts";
import { foundOr404, invalid } from "./problem.ts";
import { added, callAccount, changeAccount, randomId, resource } from "./resource.ts";
import { jsonBody, jsonResponse, route } from "./route.ts";

const writer = keyAuth("models:write", "management");

/** Returns the models that an account can use: the service's, and its own. */
async function modelsOf(http: Http, caller: Authorized): Promise<{ models: UsableModel[] }> {
  const own = await callAccount(http, caller, (account) => account.models());
  const { env } = http;
  return { models: usableModels({ settings: settingsOf(env), bindings: env, ...own }) };
}

/** What executions can be run with. */
const models = route("GET", "/api/v1/models", {
  operationId: "listModels",
  summary: "List the models",
  description:
    "Returns the models that are known to be usable: those of the service and of the account's own providers. Other models of the same providers can be named as well.",
  auth: keyAuth(null, "management"),
  response: jsonResponse(200, "The models.", usableModelsSchema),
  handler: async ({ http, caller }) => ({ value: await modelsOf(http, caller) }),
});

/** Chooses the model of executions that name none. */
const setDefaultModel = route("PUT", "/api/v1/models/default", {
  operationId: "setDefaultModel",
  summary: "Set the default model",
  description: "Sets the model of executions that name none; null returns to the service's.",
  auth: writer,
  body: jsonBody(defaultModelBody, { model: NAMED_MODELS.anthropic.name }),
  response: jsonResponse(200, "The models.", usableModelsSchema),
  async handler({ http, caller, body: { model } }) {
    if (model !== null) await assertModels({ model, fallbacks: [] }, http.env, caller.accountId);
    await callAccount(http, caller, (account, actor) => account.setDefaultModel(model, actor));
    return { value: await modelsOf(http, caller) };
  },
});

const TRIAL_TIMEOUT_MS = 30_000;

/** Where the APIs of the kinds are. A gateway that the operators chose is none for keys of accounts. */
const OWN_URLS: Record<ProviderKind, string> = {
  openai: OPENAI_URL,
  anthropic: "https://api.anthropic.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
  "openai-compatible": "",
};

const provider = resource({
  path: "/api/v1/model-providers",
  name: "ModelProvider",
  one: "a model provider",
  id: "providerId",
  record: modelProviderRecord,
  reader: keyAuth("models:read", "management"),
  writer,
});

const test = route("POST", "/api/v1/model-providers/:providerId/test", {
  operationId: "testModelProvider",
  summary: "Test a model provider",
  description:
    "Asks a model once, with one tool, as executions ask it, and says in words what came of it: it works, the key is refused, there is no such model, it does not call tools, it is too slow. The provider charges for the call.",
  auth: writer,
  body: jsonBody(testModelProviderBody, { model: "large" }),
  response: jsonResponse(200, "What came of it.", modelTrial),
  async handler({ http, caller, params: { providerId }, body: { model } }) {
    const { env } = http;
    const settings = settingsOf(env);
    const stored = await callAccount(http, caller, (account) =>
      account.sealedProviders([providerId]),
    );
    const hosts = serviceHosts(http.req.url, settings);
    const opened = foundOr404((await openProviders(caller.accountId, stored, hosts, settings))[0]);
    const asked = model ?? trialModelOf(opened);
    if (asked === null) throw invalid("model", "required", "is required: none is known");
    const place = { settings, bindings: env, providers: [opened] };
    const tried = createModel(`${opened.name}/${asked}`, place, providerId);
    return { value: await tryModel(tried, TRIAL_TIMEOUT_MS, Date.now) };
  },
});

export const modelRoutes = [
  models,
  setDefaultModel,
  provider.create({
    description:
      "Adds a provider with a key of your own. Its models are `<name>/<model>`, wherever a model is named. The key is stored encrypted, is never shown, and is sent to the host of `baseUrl` only.",
    body: createModelProviderBody,
    bodyExample: {
      name: "gateway",
      kind: "openai-compatible",
      baseUrl: "https://models.acme.example/v1",
      apiKey: "a-key-of-yours-3xYz",
      models: [{ name: "large", contextWindow: 128_000, inputPrice: 1, outputPrice: 4 }],
    },
    async handler({ http, caller, body: { name, kind, baseUrl, apiKey, models } }) {
      const settings = settingsOf(http.env);
      const providerId = randomId("prov_");
      const stored = {
        providerId,
        name,
        rule: {
          kind,
          baseUrl: addressOf(http, baseUrl ?? OWN_URLS[kind], settings),
          last4: last4(apiKey),
          models,
        },
        sealedValue: await sealKey(apiKey, caller.accountId, providerId, settings),
      };
      const reply = await changeAccount(http, caller, (account, actor) =>
        account.addModelProvider(stored, actor),
      );
      return added(reply, "a model provider", name);
    },
  }),
  provider.list("Returns the account's own model providers without their keys, newest first.", all),
  provider.get(
    "Returns one of the account's own model providers without its key.",
    ({ http, caller, id }) => existing(http, caller, id),
  ),
  provider.update({
    description: "Applies from the next step. A `baseUrl` on another host requires the key again.",
    body: updateModelProviderBody,
    bodyExample: { apiKey: "another-key-of-yours-3xYz" },
    problems: [],
    async handler({ http, caller, id: providerId, body: { baseUrl, apiKey, models } }) {
      const settings = settingsOf(http.env);
      const before = await existing(http, caller, providerId);
      const address = baseUrl === undefined ? before.baseUrl : addressOf(http, baseUrl, settings);
      if (apiKey === undefined && !isSameOrigin(address, before.baseUrl)) {
        throw invalid("apiKey", "required", "is required with a `baseUrl` on another host");
      }
      const rule = {
        kind: before.kind,
        baseUrl: address,
        last4: apiKey === undefined ? before.apiKey.last4 : last4(apiKey),
        models: models ?? before.models,
      };
      const sealed = apiKey ? await sealKey(apiKey, caller.accountId, providerId, settings) : null;
      const changed = await changeAccount(http, caller, (account, actor) =>
        account.changeModelProvider(providerId, rule, sealed, actor),
      );
      return foundOr404(changed);
    },
  }),
  provider.remove(
    "Running executions can no longer ask its models. If the account's default model is one of them, the default of the service takes its place.",
    ({ http, caller, id }) =>
      changeAccount(http, caller, (account, actor) => account.removeModelProvider(id, actor)),
  ),
  test,
];

const sealKey = (key: string, accountId: string, providerId: string, settings: Settings) =>
  sealSecret(key, providerContext(accountId, providerId), settings);

async function all(http: Http, caller: Authorized): Promise<ModelProviderRecord[]> {
  return (await callAccount(http, caller, (account) => account.models())).providers;
}

async function existing(http: Http, caller: Authorized, id: string): Promise<ModelProviderRecord> {
  return foundOr404((await all(http, caller)).find(({ providerId }) => providerId === id));
}

/** Returns the address of a server as it is stored: the path of its API is added to it. */
function addressOf(http: Http, url: string, settings: Settings): string {
  const address = assertAddress("baseUrl", url, serviceHosts(http.req.url, settings), settings);
  if (/[?#]/.test(address)) throw invalid("baseUrl", "address", "must not have a query or a #");
  return address.replace(/\/+$/, "");
}
