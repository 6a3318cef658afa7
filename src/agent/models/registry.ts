import { type Model, ModelError } from "../../contract/conversation.ts";
import type { Settings } from "../../env.ts";
import { NAMED_MODELS } from "./catalogue.ts";
import { type ModelWindow, windowOf } from "./prompt/budget.ts";

/** The settings and bindings that models need. */
export interface ModelEnvironment {
  settings: Settings;
  bindings: { readonly AI?: Ai };
}

/** Whether a model is available, or the reason why not, as a predicate of "the model". */
export type ModelAvailability = { ok: true } | { ok: false; reason: string };

/** One model of a provider. */
interface Choice {
  modelId: string;
  window: ModelWindow;
  /** Identifies the conversation in all its steps. */
  conversation: string;
}

/** Loads a provider's models, or names the missing configuration. */
type Access = { ok: true; load(choice: Choice): Promise<Model> } | { ok: false; needs: string };

interface Provider {
  /** The form of its models' names, as a text and as a pattern. */
  form: string;
  pattern: RegExp;
  /** A model to suggest. */
  example: string;
  access(place: ModelEnvironment): Access;
}

/** The embedded model, which needs no configuration. */
const DEMO = "builtin/demo";
/** The name of the embedded model before it: workflows and executions that were stored under it go on. */
const FORMER_DEMO = "builtin/planner";

const PROVIDERS: readonly Provider[] = [
  {
    form: "openai/<model>",
    pattern: /^openai\/./,
    example: NAMED_MODELS.openai.name,
    access: openAi,
  },
  {
    form: "anthropic/<model>",
    pattern: /^anthropic\/./,
    example: NAMED_MODELS.anthropic.name,
    access: anthropic,
  },
  // Without the @ the library would use other companies' models, billed to the account.
  {
    form: "workers-ai/@cf/<model>",
    pattern: /^workers-ai\/@(?:cf|hf)\/./,
    example: NAMED_MODELS.workersAi.name,
    access: workersAi,
  },
];

/** Returns the models to suggest, the default first, and the forms of all that are available. */
export function modelsFor(place: ModelEnvironment): { models: string[]; modelForms: string[] } {
  const usable = PROVIDERS.filter(({ access }) => access(place).ok);
  const suggested = [place.settings.DEFAULT_MODEL, DEMO, ...usable.map(({ example }) => example)];
  return {
    models: [...new Set(suggested)].filter((name) => checkModel(name, place).ok),
    modelForms: [DEMO, ...usable.map(({ form }) => form)],
  };
}

/** Checks whether the model `provider/name` is available. */
export function checkModel(name: string, place: ModelEnvironment): ModelAvailability {
  if (isDemo(name)) return { ok: true };
  const access = accessTo(name, place);
  return access?.ok ? { ok: true } : { ok: false, reason: unavailableReason(access, place) };
}

/**
 * Creates the model `provider/name` for one conversation. An unavailable model fails on its first call:
 * it may have been available when it was chosen.
 */
export function createModel(name: string, place: ModelEnvironment, conversation: string): Model {
  if (isDemo(name)) return { ...lazyModel(DEMO, loadDemo), isLocal: true };
  const access = accessTo(name, place);
  if (!access?.ok) return unusableModel(name, unavailableReason(access, place));
  const window = windowOf(name, place.settings.MODEL_CONTEXT_TOKENS);
  const modelId = name.slice(name.indexOf("/") + 1);
  return lazyModel(name, () => access.load({ modelId, window, conversation }));
}

function isDemo(name: string): boolean {
  return name === DEMO || name === FORMER_DEMO;
}

async function loadDemo(): Promise<Model> {
  const { demo } = await import("./demo/demo.ts");
  return demo;
}

/** Returns why there is no access, for `ModelAvailability`. */
function unavailableReason(
  access: Extract<Access, { ok: false }> | undefined,
  place: ModelEnvironment,
): string {
  if (access) return `needs ${access.needs}`;
  const known = PROVIDERS.map(({ form, access }) => {
    const found = access(place);
    return found.ok ? form : `${form} (needs ${found.needs})`;
  });
  return `is not known; known are ${[DEMO, ...known].join(", ")}`;
}

function unusableModel(name: string, reason: string): Model {
  return {
    name,
    respond: async () => {
      throw new ModelError(`The model ${name} ${reason}.`, { retryable: false });
    },
  };
}

function accessTo(name: string, place: ModelEnvironment): Access | undefined {
  return PROVIDERS.find(({ pattern }) => pattern.test(name))?.access(place);
}

/** OpenAI itself requires a key; a self-hosted server may not. */
function openAi({ settings }: ModelEnvironment): Access {
  const { OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: apiKey } = settings;
  if (apiKey === undefined && baseUrl === "https://api.openai.com/v1") {
    const needs = "OPENAI_API_KEY, or OPENAI_BASE_URL of a server that asks for no key";
    return { ok: false, needs };
  }
  return {
    ok: true,
    async load({ modelId, window }) {
      const { openAiModel } = await import("./openai.ts");
      return openAiModel(modelId, { baseUrl, apiKey }, window);
    },
  };
}

function anthropic({ settings }: ModelEnvironment): Access {
  const { ANTHROPIC_BASE_URL: baseUrl, ANTHROPIC_API_KEY: apiKey } = settings;
  if (apiKey === undefined) return { ok: false, needs: "ANTHROPIC_API_KEY" };
  return {
    ok: true,
    async load({ modelId, window }) {
      const { anthropicModel } = await import("./anthropic.ts");
      return anthropicModel(modelId, { baseUrl, apiKey }, window);
    },
  };
}

function workersAi({ bindings: { AI: binding } }: ModelEnvironment): Access {
  if (binding === undefined) {
    return { ok: false, needs: "the AI binding: deploy the service" };
  }
  return {
    ok: true,
    async load({ modelId, window, conversation }) {
      const { workersAiModel } = await import("./workers-ai.ts");
      return workersAiModel(modelId, binding, window, conversation);
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
    async respond(request, signal) {
      loading ??= load();
      const model = await loading;
      return await model.respond(request, signal);
    },
  };
}
