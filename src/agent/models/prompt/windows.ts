/** What fits into one call of a model, in tokens. */
export interface ModelWindow {
  /** Prompt and answer together. */
  context: number;
  /** Kept free for the answer, and the most that a model is asked to write. */
  answer: number;
}

/**
 * Bytes of prompt for each token of the window. Prose has about 4 (of any script), JSON and HTML
 * about 3, long numbers on models that read digit by digit fewer: 2.5 leaves room for a mixture.
 */
export const BYTES_PER_TOKEN = 2.5;

/** A longer prompt costs more, each step again, than it helps. */
const LARGEST_PROMPT_BYTES = 240_000;

/** From here on a window is larger than the largest prompt, however much larger. */
const LARGE = 128_000;
const LARGEST_ANSWER = 16_384;

/**
 * Context windows in tokens; the first pattern that matches counts. From the model pages of
 * platform.claude.com, platform.openai.com and developers.cloudflare.com/workers-ai, November 2026.
 * Where Workers AI was seen to enforce less than its page says, that is what stands here.
 */
const WINDOWS: readonly (readonly [RegExp, number])[] = [
  [/^anthropic\/claude-/, 200_000],
  [/^openai\/gpt-3\.5/, 16_000],
  [/^openai\/gpt-4(?:-\d{4})?$/, 8_000],
  [/^openai\/(?:gpt-4|gpt-[5-9]|chatgpt-|o\d)/, LARGE],
  [/^workers-ai\/@cf\/openai\/gpt-oss/, LARGE],
  [/^workers-ai\/@cf\/(?:moonshotai\/kimi-k2|zai-org\/glm-|deepseek-ai\/deepseek-v)/, LARGE],
  [/^workers-ai\/@cf\/(?:qwen\/qwen3\.8|google\/gemma-4|nvidia\/nemotron-3)/, LARGE],
  [/^workers-ai\/@cf\/(?:meta\/llama-4|mistralai\/mistral-small-3|ibm-granite\/granite-4)/, LARGE],
  [/^workers-ai\/@cf\/(?:qwen\/qwen[23]|meta\/llama-3\.1-8b-instruct-f)/, 32_000],
  [/^workers-ai\/@cf\/meta\/llama-3\.3/, 24_000],
  [/^workers-ai\/@cf\/meta\/llama-3(?:\.1)?-8b-instruct/, 8_000],
  [/^workers-ai\//, 24_000],
];

/** Of a model that nobody knows, mostly one on a server of one's own. */
const UNKNOWN = 32_000;

/** The window of the model of this name, `provider/name`; `context` when the operator knows better. */
export function windowOf(name: string, context: number | undefined): ModelWindow {
  const known = WINDOWS.find(([pattern]) => pattern.test(name))?.[1] ?? UNKNOWN;
  const tokens = context ?? known;
  return { context: tokens, answer: Math.min(LARGEST_ANSWER, Math.floor(tokens / 4)) };
}

/** How long a prompt for this window may be, in bytes, with its instructions and tools. */
export function promptBytes({ context, answer }: ModelWindow): number {
  return Math.min(LARGEST_PROMPT_BYTES, Math.floor((context - answer) * BYTES_PER_TOKEN));
}
