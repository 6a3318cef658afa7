import { type Model, ModelError, type ModelRequest } from "../../contract/conversation.ts";
import type {
  ChosenModel,
  ModelChain,
  ModelPrice,
  OwnProvider,
  ProviderKind,
  UsableModel,
} from "../../contract/models.ts";
import type { StepMessage } from "../../contract/task.ts";
import { OPENAI_URL, type Settings } from "../../env.ts";
import { factsOf, type ModelFacts, modelIdOf, NAMED_MODELS } from "./catalogue.ts";
import { type ModelWindow, promptBytes, windowOf } from "./prompt/budget.ts";
import { withReadable } from "./prompt/files.ts";
import { type PromptMessage, writePrompt } from "./prompt/prompt.ts";
import type { Server } from "./sdk/http.ts";
import { capturingFetch, curlOf } from "./wire.ts";

/** The settings and bindings that models need, and what an account has of its own. */
export interface ModelEnvironment {
  settings: Settings;
  bindings: { readonly AI?: Ai };
  providers?: readonly OwnProvider[];
  /** The account's default model; null for the service's. */
  defaultModel?: string | null;
}

/** Where models come from. */
interface Provider {
  /** The form of its models' names. */
  form: string;
  pattern: RegExp;
  /** What makes it usable, or what is missing, such as the name of a variable. */
  source: string;
  isUsable: boolean;
  /** The names of models to suggest. */
  suggested: string[];
  factsOf(name: string): ModelFacts;
  load(choice: Choice): Promise<Model>;
  /** Where its requests go; absent where they have no address. */
  server?: ModelServer;
}

/** A server of models that are named `<name>/<model>`. */
interface ModelServer extends Server, Pick<Provider, "source" | "isUsable"> {
  name: string;
  kind: ProviderKind;
  /** What is known of its models, by their names at the provider; of others, what the catalogue knows. */
  models?: Readonly<Record<string, Partial<ModelFacts>>>;
}

/** One model of a provider. */
interface Choice {
  name: string;
  window: ModelWindow;
  /** Identifies the conversation in all its steps. */
  conversation: string;
}

const FREE: ModelPrice = { input: 0, output: 0 };

/** The embedded model, which needs no configuration. */
const DEMO: Provider = {
  form: "builtin/demo",
  // `planner` is the name of the embedded model before it: what was stored under it goes on.
  pattern: /^builtin\/(?:demo|planner)$/,
  source: "built in",
  isUsable: true,
  suggested: ["builtin/demo"],
  factsOf: (name) => ({ ...factsOf(name), price: FREE, streams: false }),
  load: async () => (await import("./demo/demo.ts")).demo,
};

/** Returns the models of the AI binding. Without the @ the library would use other companies' models, billed to the account. */
function workersAi(binding: Ai | undefined): Provider {
  return {
    form: "workers-ai/@cf/<model>",
    pattern: /^workers-ai\/@(?:cf|hf)\/./,
    source: binding ? "the AI binding" : "the AI binding: deploy with [ai] in wrangler.toml",
    isUsable: binding !== undefined,
    suggested: [],
    factsOf,
    async load({ name, window, conversation }) {
      if (binding === undefined) throw new Error("There is no AI binding.");
      const { workersAiModel } = await import("./workers-ai.ts");
      return workersAiModel(name, binding, window, conversation);
    },
  };
}

/** Returns the models of a server. */
function servedBy(server: ModelServer): Provider {
  const { name, kind, source, isUsable, models = {} } = server;
  return {
    form: `${name}/<model>`,
    pattern: new RegExp(`^${name}/.`),
    source,
    isUsable,
    suggested: Object.keys(models).map((model) => `${name}/${model}`),
    factsOf(full) {
      const model = modelIdOf(full);
      return { ...factsOf(`${kind}/${model}`), ...models[model] };
    },
    load: (choice) => loadModel(choice, server),
    server,
  };
}

/** Returns the providers of the account and of the service, also those that lack something. */
function providersOf({ settings, bindings, providers = [] }: ModelEnvironment): Provider[] {
  const own = providers.map(ownServer);
  const isOwn = ({ name }: ModelServer) => own.some((each) => each.name === name);
  const servers = [...own, ...serviceServers(settings).filter((each) => !isOwn(each))];
  return [DEMO, ...servers.map(servedBy), workersAi(bindings.AI)];
}

function ownServer({
  name,
  kind,
  baseUrl,
  key: apiKey,
  connect,
  models,
  missing,
}: OwnProvider): ModelServer {
  const suggested = kind === "openai-compatible" ? [] : [modelIdOf(NAMED_MODELS[kind].name)];
  const described = models.map(
    ({ name: model, contextWindow, inputPrice: input, cachedInputPrice, outputPrice: output }) => {
      const cached = cachedInputPrice === undefined ? {} : { cachedInput: cachedInputPrice };
      const price = input !== undefined && output !== undefined && { input, ...cached, output };
      return [model, { ...(contextWindow && { contextWindow }), ...(price && { price }) }] as const;
    },
  );
  return {
    name,
    kind,
    baseUrl,
    apiKey,
    ...(connect && { connect }),
    models: Object.fromEntries(
      described.length > 0 ? described : suggested.map((model) => [model, {}]),
    ),
    source: missing ?? `the account's provider ${name}`,
    isUsable: missing === undefined,
  };
}

/** Returns the servers that this deployment knows. */
function serviceServers(settings: Settings): ModelServer[] {
  const { OPENAI_BASE_URL, OPENAI_API_KEY } = settings;
  // OpenAI itself requires a key; a self-hosted server may not.
  const isOpenAi = OPENAI_BASE_URL === OPENAI_URL;
  const lacksKey = isOpenAi && OPENAI_API_KEY === undefined;
  const lack = lacksKey ? ", or OPENAI_BASE_URL of a server that asks for no key" : "";
  return [
    {
      name: "openai",
      kind: "openai",
      baseUrl: OPENAI_BASE_URL,
      apiKey: OPENAI_API_KEY,
      source: isOpenAi ? `OPENAI_API_KEY${lack}` : "OPENAI_BASE_URL",
      isUsable: !lacksKey,
    },
    keyedServer("anthropic", "ANTHROPIC", settings),
    keyedServer("google", "GEMINI", settings),
    ...Object.entries(settings.MODEL_SERVERS).map(
      ([name, baseUrl]): ModelServer => ({
        name,
        kind: "openai-compatible",
        baseUrl,
        apiKey: settings.MODEL_SERVER_KEYS[name],
        source: "MODEL_SERVERS",
        isUsable: true,
      }),
    ),
  ];
}

/** Returns the server of a provider that requires a key, by the prefix of its variables. */
function keyedServer(
  name: "anthropic" | "google",
  prefix: "ANTHROPIC" | "GEMINI",
  settings: Settings,
): ModelServer {
  const source = `${prefix}_API_KEY` as const;
  const { [source]: apiKey, [`${prefix}_BASE_URL` as const]: baseUrl } = settings;
  return { name, kind: name, baseUrl, apiKey, source, isUsable: apiKey !== undefined };
}

/** Returns the models that are known to be usable, the default first. */
export function usableModels(place: ModelEnvironment): UsableModel[] {
  const usual = place.defaultModel ?? place.settings.DEFAULT_MODEL;
  const suggested = providersOf(place).flatMap((provider) => provider.suggested);
  const named = Object.values(NAMED_MODELS).map(({ name }) => name);
  return [...new Set([usual, ...suggested, ...named])].flatMap((model) => {
    const provider = providerOf(model, place);
    if (!provider?.isUsable) return [];
    const { tools, images, streams } = provider.factsOf(model);
    return {
      ...chosenModel(model, place),
      source: provider.source,
      supports: { tools, images, streaming: streams },
      default: model === usual,
    };
  });
}

/** Returns a model with the window and the price that count for an execution accepted now. */
export function chosenModel(model: string, place: ModelEnvironment): ChosenModel {
  const { price } = knownOf(model, place);
  const { context: contextWindow } = windowIn(model, place);
  return { model, contextWindow, ...(price && { price }) };
}

/** Returns why the model `provider/name` is not available, as a predicate of "the model", or null. */
export function modelFault(name: string, place: ModelEnvironment): string | null {
  const provider = providerOf(name, place);
  if (provider !== undefined) return provider.isUsable ? null : `needs ${provider.source}`;
  const known = providersOf(place).map(
    ({ form, isUsable, source }) => form + (isUsable ? "" : ` (needs ${source})`),
  );
  return `is not known; known are ${known.join(", ")}`;
}

/** A field of a request that names a model which cannot be used, and what is wrong with it. */
export interface UnusableModel {
  field: string;
  message: string;
}

/** Returns the first model that is not available; null for none. */
export function firstUnusable(
  { model, fallbacks }: ModelChain,
  place: ModelEnvironment,
): UnusableModel | null {
  for (const [at, name] of [model, ...fallbacks].entries()) {
    const fault = modelFault(name, place);
    const field = fallbacks.length === 0 ? "model" : `model[${at}]`;
    if (fault !== null) return { field, message: `names ${name}, which ${fault}` };
  }
  return null;
}

/** Returns the model with which to try a provider that names none; null if none is known. */
export function trialModelOf(provider: OwnProvider): string | null {
  return Object.keys(ownServer(provider).models ?? {})[0] ?? null;
}

/**
 * Creates the model `provider/name` for one conversation. An unavailable model fails on its first call:
 * it may have been available when it was chosen.
 */
export function createModel(name: string, place: ModelEnvironment, conversation: string): Model {
  const fault = modelFault(name, place);
  if (fault !== null) return unusableModel(name, fault);
  const provider = providerOf(name, place) ?? DEMO;
  const choice = { name, window: windowIn(name, place), conversation };
  const load = () => provider.load(choice);
  return provider === DEMO
    ? { ...lazyModel(DEMO.form, load), isLocal: true }
    : lazyModel(name, load);
}

/** A step's request as a model and as its provider read it. */
export interface SentStep {
  messages: StepMessage[];
  /** A shell command that sends it; null where there is no address to send it to. */
  curl: string | null;
}

/** Returns how a request is sent to the model `provider/name`. Nothing is sent. */
export async function describeRequest(
  name: string,
  place: ModelEnvironment,
  request: ModelRequest,
): Promise<SentStep> {
  const window = windowIn(name, place);
  const readable = withReadable(request, factsOf(name));
  const { system, messages } = writePrompt(readable, promptBytes(window));
  const shown = [{ role: "system" as const, text: system }, ...messages.map(shownMessage)];
  const { server } = providerOf(name, place) ?? {};
  if (!server?.isUsable) return { messages: shown, curl: null };
  const { fetch, seen } = capturingFetch();
  const model = await loadModel({ name, window }, { ...server, fetch });
  await model.respond(request, new AbortController().signal).catch(() => undefined);
  const sent = seen();
  const variable = `${server.name.replaceAll("-", "_").toUpperCase()}_API_KEY`;
  return { messages: shown, curl: sent && curlOf(sent, server.apiKey, variable) };
}

function shownMessage(message: PromptMessage): StepMessage {
  switch (message.role) {
    case "user": {
      const { role, text, images = [] } = message;
      return { role, text, ...(images.length > 0 && { images: images.length }) };
    }
    case "assistant": {
      const { role, text, calls } = message;
      const made = calls.map(({ callId, tool, input }) => ({ callId, tool, input }));
      return { role, text, ...(made.length > 0 && { calls: made }) };
    }
    case "tool":
      return message;
  }
}

async function loadModel(
  { name, window }: Pick<Choice, "name" | "window">,
  server: ModelServer,
): Promise<Model> {
  switch (server.kind) {
    case "openai":
    case "openai-compatible": {
      const { openAiModel } = await import("./openai.ts");
      return openAiModel(name, server, window);
    }
    case "anthropic": {
      const { anthropicModel } = await import("./anthropic.ts");
      return anthropicModel(name, server, window);
    }
    case "google": {
      const { googleModel } = await import("./google.ts");
      return googleModel(name, server, window);
    }
  }
}

function providerOf(name: string, place: ModelEnvironment): Provider | undefined {
  return providersOf(place).find(({ pattern }) => pattern.test(name));
}

const knownOf = (name: string, place: ModelEnvironment): ModelFacts =>
  providerOf(name, place)?.factsOf(name) ?? factsOf(name);

function windowIn(name: string, place: ModelEnvironment): ModelWindow {
  return windowOf(place.settings.MODEL_CONTEXT_TOKENS ?? knownOf(name, place).contextWindow);
}

function unusableModel(name: string, reason: string): Model {
  return {
    name,
    respond: async () => {
      throw new ModelError(`The model ${name} ${reason}.`, { retryable: false, isUnusable: true });
    },
  };
}

/**
 * Creates a model that loads on its first call: the SDKs cost 20 ms or more of CPU, which every new
 * isolate would pay at start-up.
 */
function lazyModel(name: string, load: () => Promise<Model>): Model {
  let loading: Promise<Model> | null = null;
  return {
    name,
    async respond(request, signal, watch) {
      loading ??= load();
      const model = await loading;
      return await model.respond(request, signal, watch);
    },
  };
}
