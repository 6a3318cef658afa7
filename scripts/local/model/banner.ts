import { NAMED_MODELS } from "../../../src/agent/models/catalogue.ts";
import { BUILT_IN, type FoundModel } from "./find.ts";

/** Returns the line of the model: its name, why it was chosen and how to change it. */
export function modelLine({ model, reason }: FoundModel): string {
  return `${model}   (${reason}; DEFAULT_MODEL in .env changes it)`;
}

/**
 * Returns what did not work before the model was found, what to do about keys that were not used, and how
 * to get a real model; empty if there is nothing to do.
 */
export function modelAdvice({ model, unused, failed }: FoundModel, command: string): string {
  const refused = failed.map(
    (trial) => `
${trial.model} (${trial.reason}) was tried and is not used: ${trial.message}
`,
  );
  const about = unused.map(
    ({ name, variable }) => `
${variable} of your shell was not used and nothing was sent with it, since its calls cost money. To use it:

  ${command} -- --model ${name}     (or set USE_SHELL_KEYS=true)
`,
  );
  return [...refused, ...about, ...(model === BUILT_IN ? [REAL_MODELS] : [])].join("");
}

const REAL_MODELS = `
The built-in model knows only the commands of docs/demo-model.md. Three ways to a real one, for prompts in
your own words; then start again:

  echo ANTHROPIC_API_KEY=sk-ant-... >> .env     (or OPENAI_API_KEY, GEMINI_API_KEY)
  ollama pull ${NAMED_MODELS.local.name.split("/")[1]}                             (no key: Ollama or LM Studio on this machine)
  any server with OpenAI's API                  (in .env: MODEL_SERVERS=mine=https://host/v1
                                                 and DEFAULT_MODEL=mine/<model>)
`;
