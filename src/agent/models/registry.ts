import type { Model } from "../../contract/conversation.ts";
import type { Settings } from "../../env.ts";
import { planner } from "./planner/planner.ts";

const OPENAI_PREFIX = "openai/";
const OPENAI_ITSELF = "https://api.openai.com/v1";

/** A model can be used, or why not, as what follows "the model …" in a sentence. */
export type ModelCheck = { ok: true } | { ok: false; reason: string };

/** Whether a model of this name, `provider/name`, can be used here. */
export function checkModel(name: string, settings: Settings): ModelCheck {
  if (name === planner.name) return { ok: true };
  const missing = missingForOpenAi(settings);
  if (name.startsWith(OPENAI_PREFIX)) {
    return missing === null ? { ok: true } : { ok: false, reason: `needs ${missing}` };
  }
  const openAi = missing === null ? "openai/<model>" : `openai/<model> once there is ${missing}`;
  return { ok: false, reason: `is not known; known are ${planner.name} and ${openAi}` };
}

/** The model of this name. Throws for one that `checkModel` refuses: check first. */
export function createModel(name: string, settings: Settings): Model {
  const check = checkModel(name, settings);
  if (!check.ok) throw new Error(`The model ${name} ${check.reason}.`);
  if (name === planner.name) return planner;
  return lazyModel(name, async () => {
    const { openAiModel } = await import("./openai.ts");
    const server = { baseUrl: settings.OPENAI_BASE_URL, apiKey: settings.OPENAI_API_KEY };
    return openAiModel(name.slice(OPENAI_PREFIX.length), server);
  });
}

/** Only OpenAI itself is known to ask for a key; a server of one's own may not. */
function missingForOpenAi({ OPENAI_API_KEY, OPENAI_BASE_URL }: Settings): string | null {
  if (OPENAI_API_KEY !== undefined || OPENAI_BASE_URL !== OPENAI_ITSELF) return null;
  return "OPENAI_API_KEY, or OPENAI_BASE_URL of a server that asks for no key";
}

/**
 * A model that is loaded with its first call: the model SDK costs 20 ms or more of CPU at start-up,
 * which every new isolate would pay, whatever model it is asked for.
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
