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
  workersAi: {
    name: "workers-ai/@cf/openai/gpt-oss-120b",
    source: "https://developers.cloudflare.com/workers-ai/models/gpt-oss-120b/",
    checked: "2026-11-23",
  },
  /** On a server of one's own, such as Ollama. */
  local: {
    name: "openai/qwen3",
    source: "https://ollama.com/library/qwen3",
    checked: "2026-11-23",
  },
} as const satisfies Record<string, NamedModel>;

/** What is known of the models whose names match a pattern. */
interface ModelFamily {
  pattern: RegExp;
  /** The context window in tokens. */
  context: number;
  /** Whether they read images. */
  images: boolean;
}

/** Windows of at least this size fit the largest prompt. */
const LARGE = 128_000;

/**
 * The first pattern that matches counts. From the model pages of platform.claude.com, developers.openai.com
 * and developers.cloudflare.com/workers-ai, November 2026. Where Workers AI enforces less than its page
 * states, this is the measured value.
 */
const FAMILIES: readonly ModelFamily[] = [
  { pattern: /^anthropic\/claude-/, context: 200_000, images: true },
  { pattern: /^openai\/(?:gpt-(?:4[.o]|[5-9])|chatgpt-|o\d)/, context: LARGE, images: true },
  { pattern: /^workers-ai\/@cf\/(?:meta\/llama-4|google\/gemma-4)/, context: LARGE, images: true },
  {
    pattern:
      /^workers-ai\/@cf\/(?:openai\/gpt-oss|moonshotai\/kimi-k2|zai-org\/glm-|deepseek-ai\/deepseek-v|qwen\/qwen3\.8|nvidia\/nemotron-3|mistralai\/mistral-small-3|ibm-granite\/granite-4)/,
    context: LARGE,
    images: false,
  },
  {
    pattern: /^workers-ai\/@cf\/(?:qwen\/qwen[23]|meta\/llama-3\.1-8b-instruct-f)/,
    context: 32_000,
    images: false,
  },
  { pattern: /^workers-ai\/@cf\/meta\/llama-3\.3/, context: 24_000, images: false },
  {
    pattern: /^workers-ai\/@cf\/meta\/llama-3(?:\.1)?-8b-instruct/,
    context: 8_000,
    images: false,
  },
  { pattern: /^workers-ai\//, context: 24_000, images: false },
];

/** Any other model, mostly on a self-hosted server. */
const UNKNOWN: Omit<ModelFamily, "pattern"> = { context: 32_000, images: false };

/** Returns what is known of the model `provider/name`. */
export function familyOf(name: string): Omit<ModelFamily, "pattern"> {
  return FAMILIES.find(({ pattern }) => pattern.test(name)) ?? UNKNOWN;
}
