import { type Model, ModelError, type ModelRequest } from "../../contract/conversation.ts";
import type { OwnProvider, ProviderKind } from "../../contract/model-providers.ts";
import type { ChosenModel, ModelChain, ModelPrice, UsableModel } from "../../contract/models.ts";
import type { StepMessage } from "../../contract/step.ts";
import { OPENAI_URL, type Settings } from "../../env.ts";
import { factsOf, type ModelFacts, modelIdOf, NAMED_MODELS } from "./catalogue.ts";
import { type ModelWindow, promptBytes, windowOf } from "./prompt/budget.ts";
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

/** Whether a model is available, or the reason why not, as a predicate of "the model". */
export type ModelAvailability = { ok: true } | { ok: false; reason: string };

/** A provider whose models are named `<name>/<model>`. */
interface ProviderRecord extends Server {
  name: string;
  kind: ProviderKind;
  /** What is known of its models, by their names at the provider; of others, what the catalogue knows. */
  models?: Readonly<Record<string, Partial<ModelFacts>>>;
  /** What makes it usable, or what is missing, such as the name of a variable. */
  source: string;
  isUsable: boolean;
}

/** One model of a provider. */
interface Choice {
  name: string;
  window: ModelWindow;
  /** Identifies the conversation in all its steps. */
  conversation: string;
}

/** The embedded model, which needs no configuration. */
const DEMO = "builtin/demo";
/** The name of the embedded model before it: workflows and executions that were stored under it go on. */
const FORMER_DEMO = "builtin/planner";

/** The models of the AI binding. Without the @ the library would use other companies' models, billed to the account. */
const WORKERS_AI = {
  form: "workers-ai/@cf/<model>",
  pattern: /^workers-ai\/@(?:cf|hf)\/./,
  missing: "the AI binding: deploy the service",
};

/** Returns the providers of the account and of the service, also those that lack something. */
function providersOf({ settings, providers = [] }: ModelEnvironment): ProviderRecord[] {
  const own = providers.map(ownProvider);
  const isOwn = ({ name }: ProviderRecord) => own.some((each) => each.name === name);
  return [...own, ...serviceProviders(settings).filter((each) => !isOwn(each))];
}

function ownProvider({
  name,
  kind,
  baseUrl,
  key: apiKey,
  connect,
  models,
  missing,
}: OwnProvider): ProviderRecord {
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

/** Returns the providers that this deployment knows. */
function serviceProviders(settings: Settings): ProviderRecord[] {
  const {
    OPENAI_BASE_URL: openAiUrl,
    OPENAI_API_KEY: openAiKey,
    ANTHROPIC_API_KEY: anthropicKey,
    GEMINI_API_KEY: geminiKey,
  } = settings;
  // OpenAI itself requires a key; a self-hosted server may not.
  const isOpenAi = openAiUrl === OPENAI_URL;
  return [
    {
      name: "openai",
      kind: "openai",
      baseUrl: openAiUrl,
      apiKey: openAiKey,
      source:
        isOpenAi && openAiKey === undefined
          ? "OPENAI_API_KEY, or OPENAI_BASE_URL of a server that asks for no key"
          : isOpenAi
            ? "OPENAI_API_KEY"
            : "OPENAI_BASE_URL",
      isUsable: openAiKey !== undefined || !isOpenAi,
    },
    keyed("anthropic", settings.ANTHROPIC_BASE_URL, anthropicKey, "ANTHROPIC_API_KEY"),
    keyed("google", settings.GEMINI_BASE_URL, geminiKey, "GEMINI_API_KEY"),
    ...Object.entries(settings.MODEL_SERVERS).map(
      ([name, baseUrl]): ProviderRecord => ({
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

/** Returns the provider of a name that is usable with a key. */
function keyed(
  name: "anthropic" | "google",
  baseUrl: string,
  apiKey: string | undefined,
  source: string,
): ProviderRecord {
  return { name, kind: name, baseUrl, apiKey, source, isUsable: apiKey !== undefined };
}

/** Returns the models to suggest, the default first, and the forms of all that are available. */
export function modelsFor(place: ModelEnvironment): { models: string[]; modelForms: string[] } {
  const usable = providersOf(place).filter(({ isUsable }) => isUsable);
  const forms = usable.map(formOf);
  return {
    models: usableModels(place).map(({ model }) => model),
    modelForms: [DEMO, ...forms, ...(place.bindings.AI ? [WORKERS_AI.form] : [])],
  };
}

const FREE: ModelPrice = { input: 0, output: 0 };

const formOf = ({ name }: ProviderRecord) => `${name}/<model>`;

/** Returns the models that are known to be usable, the default first. */
export function usableModels(place: ModelEnvironment): UsableModel[] {
  const usual = defaultOf(place);
  const described = providersOf(place).flatMap(({ name, models = {} }) =>
    Object.keys(models).map((model) => `${name}/${model}`),
  );
  const named = Object.values(NAMED_MODELS).flatMap((model) => model.name);
  const names = new Set([usual, DEMO, ...described, ...named]);
  return [...names]
    .filter((model) => checkModel(model, place).ok)
    .map((model) => {
      const { tools, images, streams } = isDemo(model)
        ? { tools: true, images: false, streams: false }
        : knownOf(model, place);
      return {
        ...chosenModel(model, place),
        source: sourceOf(model, place),
        supports: { tools, images, streaming: streams },
        default: model === usual,
      };
    });
}

const defaultOf = ({ settings, defaultModel }: ModelEnvironment) =>
  defaultModel ?? settings.DEFAULT_MODEL;

/** Returns a model with the window and the price that count for an execution accepted now. */
export function chosenModel(model: string, place: ModelEnvironment): ChosenModel {
  const price = isDemo(model) ? FREE : knownOf(model, place).price;
  const { context: contextWindow } = windowIn(model, place);
  return { model, contextWindow, ...(price && { price }) };
}

/** Checks whether the model `provider/name` is available. */
export function checkModel(name: string, place: ModelEnvironment): ModelAvailability {
  if (isDemo(name) || (WORKERS_AI.pattern.test(name) && place.bindings.AI)) return { ok: true };
  const provider = providerOf(name, place);
  return provider?.isUsable ? { ok: true } : { ok: false, reason: missing(name, provider, place) };
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
    const checked = checkModel(name, place);
    const field = fallbacks.length === 0 ? "model" : `model[${at}]`;
    if (!checked.ok) return { field, message: `names ${name}, which ${checked.reason}` };
  }
  return null;
}

/** Returns the model with which to try a provider that names none; null if none is known. */
export function trialModelOf(provider: OwnProvider): string | null {
  return Object.keys(ownProvider(provider).models ?? {})[0] ?? null;
}

/**
 * Creates the model `provider/name` for one conversation. An unavailable model fails on its first call:
 * it may have been available when it was chosen.
 */
export function createModel(name: string, place: ModelEnvironment, conversation: string): Model {
  if (isDemo(name)) return { ...lazyModel(DEMO, loadDemo), isLocal: true };
  const checked = checkModel(name, place);
  if (!checked.ok) return unusableModel(name, checked.reason);
  const choice = { name, window: windowIn(name, place), conversation };
  const provider = providerOf(name, place);
  const { AI: binding } = place.bindings;
  return lazyModel(name, async () => {
    if (provider !== undefined) return await loadModel(choice, provider);
    if (binding === undefined) return unusableModel(name, `needs ${WORKERS_AI.missing}`);
    const { workersAiModel } = await import("./workers-ai.ts");
    return workersAiModel(name, binding, choice.window, conversation);
  });
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
  const { system, messages } = writePrompt(request, promptBytes(window));
  const shown = [{ role: "system" as const, text: system }, ...messages.map(shownMessage)];
  const provider = providerOf(name, place);
  if (!provider?.isUsable) return { messages: shown, curl: null };
  const { fetch, seen } = capturingFetch();
  const model = await loadModel({ name, window, conversation: "" }, { ...provider, fetch });
  await model.respond(request, new AbortController().signal).catch(() => undefined);
  const sent = seen();
  const variable = `${provider.name.replaceAll("-", "_").toUpperCase()}_API_KEY`;
  return { messages: shown, curl: sent && curlOf(sent, provider.apiKey, variable) };
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

async function loadModel({ name, window }: Choice, provider: ProviderRecord): Promise<Model> {
  switch (provider.kind) {
    case "openai":
    case "openai-compatible": {
      const { openAiModel } = await import("./openai.ts");
      return openAiModel(name, provider, window);
    }
    case "anthropic": {
      const { anthropicModel } = await import("./anthropic.ts");
      return anthropicModel(name, provider, window);
    }
    case "google": {
      const { googleModel } = await import("./google.ts");
      return googleModel(name, provider, window);
    }
  }
}

function isDemo(name: string): boolean {
  return name === DEMO || name === FORMER_DEMO;
}

async function loadDemo(): Promise<Model> {
  const { demo } = await import("./demo/demo.ts");
  return demo;
}

function providerOf(name: string, place: ModelEnvironment): ProviderRecord | undefined {
  const [, provider] = /^([^/]+)\/./.exec(name) ?? [];
  return providersOf(place).find((known) => known.name === provider);
}

function sourceOf(name: string, place: ModelEnvironment): string {
  if (isDemo(name)) return "built in";
  return providerOf(name, place)?.source ?? "the AI binding";
}

/**
 * Returns what the provider's record says of a model, and else what the catalogue knows of the models of
 * its kind.
 */
function knownOf(name: string, place: ModelEnvironment): ModelFacts {
  const provider = providerOf(name, place);
  if (provider === undefined) return factsOf(name);
  const model = modelIdOf(name);
  return { ...factsOf(`${provider.kind}/${model}`), ...provider.models?.[model] };
}

function windowIn(name: string, place: ModelEnvironment): ModelWindow {
  return windowOf(place.settings.MODEL_CONTEXT_TOKENS ?? knownOf(name, place).contextWindow);
}

/** Returns why a model is not available, for `ModelAvailability`. */
function missing(
  name: string,
  provider: ProviderRecord | undefined,
  place: ModelEnvironment,
): string {
  if (provider !== undefined) return `needs ${provider.source}`;
  const needed = ` (needs ${WORKERS_AI.missing})`;
  if (WORKERS_AI.pattern.test(name)) return `needs ${WORKERS_AI.missing}`;
  const known = providersOf(place).map((each) =>
    each.isUsable ? formOf(each) : `${formOf(each)} (needs ${each.source})`,
  );
  const workersAi = WORKERS_AI.form + (place.bindings.AI ? "" : needed);
  return `is not known; known are ${[DEMO, ...known, workersAi].join(", ")}`;
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
