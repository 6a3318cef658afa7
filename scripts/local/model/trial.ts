import type { ModelTrial } from "../../../src/contract/models.ts";
import { parseSettings } from "../../../src/env.ts";
import { serviceVariables, type Variables } from "../environment.ts";

/** A server on this machine may have to load its model first. */
const LONGEST_TRIAL_SECONDS = 60;

/** Tries a model with one call under these variables, as the service would send it. */
export async function tryUnder(name: string, variables: Variables): Promise<ModelTrial> {
  // Loaded at their first use: a start on the embedded model needs neither.
  const { createModel, modelFault } = await import("../../../src/agent/models/registry.ts");
  const { tryModel } = await import("../../../src/agent/models/trial.ts");
  const settings = parseSettings(serviceVariables(variables));
  const place = { settings, bindings: {} };
  const fault = modelFault(name, place);
  if (fault !== null) return { ok: false, message: `The model ${name} ${fault}.`, durationMs: 0 };
  const seconds = Math.min(settings.MODEL_TIMEOUT_SECONDS, LONGEST_TRIAL_SECONDS);
  return await tryModel(createModel(name, place, "trial"), seconds * 1_000, Date.now);
}
