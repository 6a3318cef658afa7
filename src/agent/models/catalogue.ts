import type { ModelPrice } from "../../contract/models.ts";

/** A model that the service suggests, or that its documentation names. */
interface NamedModel {
  name: string;
  /** The provider's page by which it works with tools and no date of its shutdown is announced. */
  source: string;
  /** When that was checked. */
  checked: string;
}

/** The only names of models in this project: names of models die. */
export const NAMED_MODELS = {
  openai: {
    name: "openai/gpt-6-luna",
    source: "https://developers.openai.com/api/docs/models/gpt-6-luna",
    checked: "2026-11-23",
  },
  anthropic: {
    name: "anthropic/claude-sonnet-5-5",
    source: "https://platform.claude.com/docs/en/models/sonnet-5-5/overview",
    checked: "2026-11-23",
  },
  google: {
    name: "google/gemini-3.8-flash",
    source: "https://deepmind.google/models/model-cards/gemini-3-8-flash/",
    checked: "2026-11-23",
  },
  workersAi: {
    name: "workers-ai/@cf/openai/gpt-oss-120b",
    source: "https://developers.cloudflare.com/workers-ai/models/gpt-oss-120b/",
    checked: "2026-11-23",
  },
  /** On a server of one's own. */
  local: {
    name: "ollama/qwen3",
    source: "https://ollama.com/library/qwen3",
    checked: "2026-11-23",
  },
} as const satisfies Record<string, NamedModel>;

/** What is known of a model. */
export interface ModelFacts {
  /** Prompt and reply together, in tokens. */
  contextWindow: number;
  /** The list price in USD for a million tokens. Absent where it is not known. */
  price?: ModelPrice;
  images: boolean;
  /** Whether it reads PDF files. */
  pdf: boolean;
  tools: boolean;
  /** Whether its server sends replies piece by piece. */
  streams: boolean;
}

/** The facts of the models whose names match a pattern, as far as they differ from the usual. */
type Row = Partial<ModelFacts> & { pattern: RegExp; contextWindow: number };

/** Makes the row of models that read images, and PDF files but for those of Workers AI. */
const seeing = (pattern: RegExp, contextWindow: number, price?: ModelPrice): Row => ({
  pattern,
  contextWindow,
  images: true,
  pdf: !pattern.source.startsWith("^workers-ai"),
  ...(price && { price }),
});

/** Windows of at least this size fit the largest prompt. */
const LARGE = 128_000;
const MILLION = 1_000_000;

/**
 * The first pattern that matches counts. Checked on 23 November 2026, at the model and price pages of
 * platform.claude.com, developers.openai.com, ai.google.dev, vercel.com/ai-gateway/models (for GPT-6 and
 * Gemini 3.8) and developers.cloudflare.com/workers-ai. Where Workers AI enforces less than its page
 * states, the window is the measured value.
 */
const TABLE: readonly Row[] = [
  seeing(/^anthropic\/claude-sonnet-5/, MILLION, { input: 2, cachedInput: 0.2, output: 10 }),
  seeing(/^anthropic\/claude-opus-5-5/, MILLION, { input: 4, cachedInput: 0.4, output: 20 }),
  seeing(/^anthropic\/claude-opus-5/, MILLION, { input: 5, cachedInput: 0.5, output: 25 }),
  seeing(/^anthropic\/claude-fable-5/, MILLION, { input: 10, cachedInput: 1, output: 50 }),
  seeing(/^anthropic\/claude-haiku-4-5/, 200_000, { input: 1, cachedInput: 0.1, output: 5 }),
  seeing(/^anthropic\/claude-/, 200_000),
  seeing(/^openai\/gpt-6-luna$/, 1_050_000, { input: 0.1, output: 0.5 }),
  seeing(/^openai\/gpt-6-sol$/, 1_050_000, { input: 2, output: 10 }),
  seeing(/^openai\/gpt-5\.6-luna$/, 1_050_000, { input: 0.2, cachedInput: 0.02, output: 1.2 }),
  seeing(/^openai\/(?:gpt-(?:4[.o]|[5-9])|chatgpt-|o\d)/, LARGE),
  seeing(/^google\/gemini-3\.[78]-flash$/, MILLION, {
    input: 0.75,
    cachedInput: 0.075,
    output: 3.75,
  }),
  seeing(/^google\/gemini-3-flash-preview$/, 1_048_576, {
    input: 0.5,
    cachedInput: 0.05,
    output: 3,
  }),
  seeing(/^google\/gemini-/, MILLION),
  {
    pattern: /^workers-ai\/@cf\/openai\/gpt-oss-120b$/,
    contextWindow: LARGE,
    price: { input: 0.35, output: 0.75 },
  },
  seeing(/^workers-ai\/@cf\/(?:meta\/llama-4|google\/gemma-4)/, LARGE),
  {
    pattern:
      /^workers-ai\/@cf\/(?:openai\/gpt-oss|moonshotai\/kimi-k2|zai-org\/glm-|deepseek-ai\/deepseek-v|qwen\/qwen3\.8|nvidia\/nemotron-3|mistralai\/mistral-small-3|ibm-granite\/granite-4)/,
    contextWindow: LARGE,
  },
  // The streams of older models do not tell parallel calls apart.
  {
    pattern: /^workers-ai\/@cf\/(?:qwen\/qwen[23]|meta\/llama-3\.1-8b-instruct-f)/,
    contextWindow: 32_000,
    streams: false,
  },
  { pattern: /^workers-ai\/@cf\/meta\/llama-3\.3/, contextWindow: 24_000, streams: false },
  {
    pattern: /^workers-ai\/@cf\/meta\/llama-3(?:\.1)?-8b-instruct/,
    contextWindow: 8_000,
    streams: false,
  },
  { pattern: /^workers-ai\//, contextWindow: 24_000, streams: false },
];

/** Any other model, mostly on a self-hosted server. */
const UNKNOWN: ModelFacts = {
  contextWindow: 32_000,
  images: false,
  pdf: false,
  tools: true,
  streams: true,
};

/** Returns what is known of the model `provider/name`; for others, what most have at least. */
export function factsOf(name: string): ModelFacts {
  const row = TABLE.find(({ pattern }) => pattern.test(name));
  if (row === undefined) return UNKNOWN;
  const { pattern: _, ...facts } = row;
  return { ...UNKNOWN, ...facts };
}

/** Returns the name that the provider has for `provider/name`. */
export const modelIdOf = (name: string) => name.slice(name.indexOf("/") + 1);
