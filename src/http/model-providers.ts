import * as z from "zod";
import { createModel, trialModelOf } from "../agent/models/registry.ts";
import { tryModel } from "../agent/models/trial.ts";
import {
  createModelProviderBody,
  type ModelProviderRecord,
  modelProviderRecord,
  modelTrial,
  type ProviderKind,
  providerContext,
  testModelProviderBody,
  updateModelProviderBody,
} from "../contract/model-providers.ts";
import { accountStub } from "../durable/stubs.ts";
import { OPENAI_URL, type Settings, settingsOf } from "../env.ts";
import { last4 } from "../lib/text.ts";
import { openProviders } from "../outbound/model-providers.ts";
import { actorOf } from "./actor.ts";
import { assertAddress, sealSecret, serviceHosts } from "./agent-settings.ts";
import { apiKey as keyAuth } from "./authentication.ts";
import { jsonBody, optionalJsonBody } from "./body.ts";
import { callOnce, callWithRetry } from "./call-with-retry.ts";
import type { Http } from "./context.ts";
import { randomId } from "./keys.ts";
import { listRoute, pageOf } from "./list.ts";
import { HttpProblem, invalid, notFound } from "./problem.ts";
import { jsonResponse, noContent, route } from "./route.ts";

const PROVIDERS = "/api/v1/model-providers";
const ID_DIGITS = 16;
const TRIAL_TIMEOUT_MS = 30_000;

const params = z.object({
  providerId: z
    .string()
    .regex(/^prov_[0-9A-Za-z]{16}$/)
    .describe("The id of the provider: `prov_` and 16 letters and digits."),
});
const reader = keyAuth("models:read", "management");
const writer = keyAuth("models:write", "management");

/** Where the APIs of the kinds are. A gateway that the operators chose is none for keys of accounts. */
const OWN_URLS: Record<ProviderKind, string> = {
  openai: OPENAI_URL,
  anthropic: "https://api.anthropic.com/v1",
  google: "https://generativelanguage.googleapis.com/v1beta",
  "openai-compatible": "",
};

const example: ModelProviderRecord = {
  providerId: "prov_4kQ0mYb2Zt7RcX1a",
  name: "gateway",
  kind: "openai-compatible",
  baseUrl: "https://models.acme.example/v1",
  apiKey: { set: true, last4: "3xYz" },
  models: [{ name: "large", contextWindow: 128_000, inputPrice: 1, outputPrice: 4 }],
  createdAt: "2026-11-20T09:30:00.000Z",
  updatedAt: "2026-11-20T09:30:00.000Z",
};

const create = route({
  method: "POST",
  path: PROVIDERS,
  operationId: "createModelProvider",
  tag: "Models",
  summary: "Add a model provider",
  description:
    "Adds a provider with a key of your own. Its models are `<name>/<model>`, wherever a model is named. The key is stored encrypted, is never shown, and is sent to the host of `baseUrl` only.",
  auth: writer,
  body: jsonBody(createModelProviderBody, {
    name: example.name,
    kind: example.kind,
    baseUrl: example.baseUrl,
    apiKey: "a-key-of-yours-3xYz",
    models: example.models,
  }),
  response: jsonResponse(201, "The provider.", modelProviderRecord, example),
  problems: ["conflict", "unavailable"],
  async handler({ http, caller, body: { name, kind, baseUrl, apiKey, models } }) {
    const settings = settingsOf(http.env);
    const providerId = randomId("prov_", ID_DIGITS);
    const provider = {
      providerId,
      name,
      rule: {
        kind,
        baseUrl: addressOf(http, baseUrl ?? OWN_URLS[kind], settings),
        last4: last4(apiKey),
        models,
        updatedAt: Date.now(),
      },
      sealedValue: await sealKey(apiKey, caller.accountId, providerId, settings),
    };
    const reply = await callOnce(() =>
      accountStub(http.env, caller.accountId).addModelProvider(provider, actorOf(http, caller)),
    );
    if (reply.kind === "added") return { value: reply.record };
    throw new HttpProblem(
      "conflict",
      reply.kind === "name_taken"
        ? `The account already has a model provider named ${name}. Choose another name.`
        : `The account has ${reply.limit} model providers, which is the limit. Delete one first.`,
    );
  },
});

const list = listRoute({
  path: PROVIDERS,
  operationId: "listModelProviders",
  tag: "Models",
  summary: "List model providers",
  description: "Returns the account's own model providers without their keys, newest first.",
  auth: reader,
  items: "modelProviders",
  page: "ModelProviderPage",
  item: modelProviderRecord,
  example,
  async read({ http, caller: { accountId }, query: { limit } }, after) {
    const { providers } = await callWithRetry(() => accountStub(http.env, accountId).models());
    return pageOf(providers, limit, after, ({ createdAt, providerId }) => ({
      createdAt: Date.parse(createdAt),
      id: providerId,
    }));
  },
});

const get = route({
  method: "GET",
  path: `${PROVIDERS}/:providerId`,
  operationId: "getModelProvider",
  tag: "Models",
  summary: "Get a model provider",
  description: "Returns one of the account's own model providers without its key.",
  auth: reader,
  params,
  response: jsonResponse(200, "The provider.", modelProviderRecord, example),
  problems: ["not_found"],
  async handler({ http, caller: { accountId }, params: { providerId } }) {
    return { value: await existing(http, accountId, providerId) };
  },
});

const update = route({
  method: "PATCH",
  path: `${PROVIDERS}/:providerId`,
  operationId: "updateModelProvider",
  tag: "Models",
  summary: "Update a model provider",
  description:
    "Replaces the fields that you pass, from the next step of running executions on. A `baseUrl` on another host requires the key again.",
  auth: writer,
  params,
  body: jsonBody(updateModelProviderBody, { apiKey: "another-key-of-yours-7aBc" }),
  response: jsonResponse(200, "The provider.", modelProviderRecord, {
    ...example,
    apiKey: { set: true, last4: "7aBc" },
    updatedAt: "2026-11-20T09:40:00.000Z",
  }),
  problems: ["not_found", "unavailable"],
  async handler({ http, caller, params: { providerId }, body: { baseUrl, apiKey, models } }) {
    const { accountId } = caller;
    const settings = settingsOf(http.env);
    const before = await existing(http, accountId, providerId);
    const address = baseUrl === undefined ? before.baseUrl : addressOf(http, baseUrl, settings);
    if (apiKey === undefined && originOf(address) !== originOf(before.baseUrl)) {
      throw invalid("apiKey", "required", "is required with a `baseUrl` on another host");
    }
    const rule = {
      kind: before.kind,
      baseUrl: address,
      last4: apiKey === undefined ? before.apiKey.last4 : last4(apiKey),
      models: models ?? before.models,
      updatedAt: Date.now(),
    };
    const sealed = apiKey ? await sealKey(apiKey, accountId, providerId, settings) : null;
    const actor = actorOf(http, caller);
    const changed = await callOnce(() =>
      accountStub(http.env, accountId).changeModelProvider(providerId, rule, sealed, actor),
    );
    if (changed === null) throw notFound();
    return { value: changed };
  },
});

const remove = route({
  method: "DELETE",
  path: `${PROVIDERS}/:providerId`,
  operationId: "deleteModelProvider",
  tag: "Models",
  summary: "Delete a model provider",
  description:
    "Running executions can no longer ask its models. If the account's default model is one of them, the default of the service takes its place.",
  auth: writer,
  params,
  response: noContent("The provider is deleted."),
  problems: ["not_found"],
  async handler({ http, caller, params: { providerId } }) {
    const { accountId } = caller;
    const isKnown = await callOnce(() =>
      accountStub(http.env, accountId).removeModelProvider(providerId, actorOf(http, caller)),
    );
    if (!isKnown) throw notFound();
    return { value: undefined };
  },
});

const test = route({
  method: "POST",
  path: `${PROVIDERS}/:providerId/test`,
  operationId: "testModelProvider",
  tag: "Models",
  summary: "Test a model provider",
  description:
    "Asks a model once, with one tool, as executions ask it, and says in words what came of it: it works, the key is refused, there is no such model, it does not call tools, it is too slow. The provider charges for the call.",
  auth: writer,
  params,
  body: optionalJsonBody(testModelProviderBody, { model: "large" }),
  response: jsonResponse(200, "What came of it.", modelTrial, {
    ok: true,
    message: "It works: it called the tool that it was offered.",
    durationMs: 840,
  }),
  problems: ["not_found"],
  async handler({ http, caller: { accountId }, params: { providerId }, body: { model } }) {
    const { env } = http;
    const settings = settingsOf(env);
    const stored = await callWithRetry(() =>
      accountStub(env, accountId).sealedProviders([providerId]),
    );
    const hosts = serviceHosts(http.req.url, settings);
    const [provider] = await openProviders(accountId, stored, hosts, settings);
    if (provider === undefined) throw notFound();
    const asked = model ?? trialModelOf(provider);
    if (asked === null) throw invalid("model", "required", "is required: none is known");
    const place = { settings, bindings: env, providers: [provider] };
    const tried = createModel(`${provider.name}/${asked}`, place, providerId);
    return { value: await tryModel(tried, TRIAL_TIMEOUT_MS, Date.now) };
  },
});

const sealKey = (key: string, accountId: string, providerId: string, settings: Settings) =>
  sealSecret(key, providerContext(accountId, providerId), settings);

async function existing(
  { env }: Http,
  accountId: string,
  providerId: string,
): Promise<ModelProviderRecord> {
  const { providers } = await callWithRetry(() => accountStub(env, accountId).models());
  const found = providers.find((each) => each.providerId === providerId);
  if (found === undefined) throw notFound();
  return found;
}

/** Returns the address of a server as it is stored: the path of its API is added to it. */
function addressOf(http: Http, url: string, settings: Settings): string {
  const address = assertAddress("baseUrl", url, serviceHosts(http.req.url, settings), settings);
  if (/[?#]/.test(address)) throw invalid("baseUrl", "address", "must not have a query or a #");
  return address.replace(/\/+$/, "");
}

const originOf = (url: string) => new URL(url).origin;

export const modelProviderRoutes = [create, list, get, update, remove, test];
