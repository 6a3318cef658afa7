import * as z from "zod";
import type { TokenUsage } from "./conversation.ts";
import {
  changing,
  closed,
  distinct,
  listOf,
  matching,
  open,
  recordTimes,
  shownSecret,
  textUpTo,
  together,
  whole,
} from "./fields.ts";

/** Names a model as `provider/name`. */
const modelName = z
  .string()
  .max(200)
  .regex(/^[a-z0-9-]+\/\S+$/, "must be provider/name, such as builtin/demo")
  .describe("The model, as `provider/name`, such as `builtin/demo`.");

/** A model, or several of which the next is asked where one fails. */
export const modelChoice = z
  .union([modelName, distinct(listOf(modelName, 5, 1), "a model")])
  .describe(
    "The model, as `provider/name`, or a list of them. The next of a list is asked when the retries of the one before are spent, or at once where that one cannot be used: its key is refused, or it does not exist. If left out, the default of the account, else of the service.",
  );
export type ModelChoice = z.infer<typeof modelChoice>;

/** A choice of models, as it is stored. */
export interface ModelChain {
  /** The model that is asked first. */
  model: string;
  fallbacks: string[];
}

/** Returns the models of a choice. */
export function chainOf(choice: ModelChoice): ModelChain {
  const [model = "", ...fallbacks] = [choice].flat();
  return { model, fallbacks };
}

/** Returns the choice that names these models. */
export function choiceOf({ model, fallbacks }: ModelChain): ModelChoice {
  return fallbacks.length === 0 ? model : [model, ...fallbacks];
}

const usd = (what: string) => z.number().nonnegative().describe(`USD for a million ${what}.`);

/** What a model costs. */
const modelPrice = open({
  input: usd("input tokens"),
  cachedInput: usd(
    "input tokens that it reads from its cache; without it, as other input",
  ).optional(),
  output: usd("output tokens"),
}).meta({ id: "ModelPrice", description: "The list price of a model." });
export type ModelPrice = z.infer<typeof modelPrice>;

const contextWindow = z.int().describe("The tokens of the prompt and the reply together.");

/** A model of an execution, as it was known when the execution was accepted. */
export const chosenModel = open({
  model: modelName,
  contextWindow,
  price: modelPrice.optional(),
}).meta({ id: "ChosenModel", description: "A model that an execution asks, in this order." });
export type ChosenModel = z.infer<typeof chosenModel>;

/** A model of GET /models. */
const usableModel = chosenModel
  .extend({
    source: z.string().describe("What makes it usable: a variable, a binding, a provider."),
    supports: open({
      tools: z.boolean().describe("Whether it calls tools, which agents need."),
      images: z.boolean().describe("Whether it reads images."),
      streaming: z.boolean().describe("Whether its replies can be followed while it writes."),
    }).describe("What it can do, as far as is known."),
    default: z.boolean().describe("Whether executions that name no model ask it."),
  })
  .meta({ id: "UsableModel", description: "A model that can be named." });
export type UsableModel = z.infer<typeof usableModel>;

/** The response of GET /models. */
export const usableModels = open({
  models: listOf(usableModel).describe("The models, the default first."),
}).meta({ id: "UsableModels" });
export type UsableModels = z.infer<typeof usableModels>;

/** Returns what these tokens cost in USD. Input tokens include the cached ones. */
export function costOf({ inputTokens, cachedTokens, outputTokens }: TokenUsage, price: ModelPrice) {
  const cached = Math.min(cachedTokens, inputTokens);
  const { input, cachedInput = input, output } = price;
  const millionths = (inputTokens - cached) * input + cached * cachedInput + outputTokens * output;
  return Math.round(millionths) / 1_000_000;
}

/** Returns the tokens of a model with what they cost, if its price is known among those that were chosen. */
export function withCost(usage: TokenUsage, model: string, chosen: readonly ChosenModel[] = []) {
  const price = chosen.find((each) => each.model === model)?.price;
  return price === undefined ? usage : { ...usage, costUsd: costOf(usage, price) };
}

/** Adds sums in USD without the errors of binary fractions. */
export const addUsd = (...sums: number[]): number =>
  Math.round(sums.reduce((total, each) => total + each, 0) * 1_000_000) / 1_000_000;

/** Model providers that one account may have. */
export const MAX_MODEL_PROVIDERS = 50;

/** The names under which only the service has models. */
const RESERVED = new Set(["builtin", "workers-ai"]);

const name = matching(/^[a-z0-9][a-z0-9-]{0,31}$/, "must be 1 to 32 lowercase letters, digits or -")
  .refine((text) => !RESERVED.has(text), "is a name of the service; choose another")
  .describe(
    "The name of the provider. Its models are `<name>/<model>`. A name that a provider of the service has stands for the account's own.",
  );

export const PROVIDER_KINDS = ["openai", "anthropic", "google", "openai-compatible"] as const;
const kind = z.enum(PROVIDER_KINDS).describe("The API that the provider's server has.");
export type ProviderKind = z.infer<typeof kind>;

const baseUrl = textUpTo(2_048).describe(
  "The https address of the server's API, up to where `/chat/completions` or the path of its kind begins. If left out, the provider's own; `openai-compatible` requires it.",
);
const apiKey = textUpTo(1_000)
  .regex(/^[\x21-\x7e]+$/, "must be visible ASCII characters without blanks")
  .describe("The key of the provider's API. It is stored encrypted and never shown again.");
const price = (of: string) => z.number().nonnegative().max(1_000_000).optional().describe(of);

const modelFields = {
  name: z
    .string()
    .max(160)
    .regex(/^\S+$/, "must not have blanks")
    .describe("The name of the model at its provider."),
  contextWindow: whole(4_000, 100_000_000).optional().describe("The tokens in all."),
  inputPrice: price("USD for a million input tokens."),
  cachedInputPrice: price("USD for a million input tokens from the model's cache."),
  outputPrice: price("USD for a million output tokens."),
};
/** What the account knows of a model. */
const describedModel = open(modelFields).meta({
  id: "DescribedModel",
  description: "A model, and what the account knows of it.",
});
const newModel = closed(modelFields)
  .apply(together(["outputPrice", "inputPrice"], "needs `inputPrice` beside it, and the reverse"))
  .meta({ id: "DescribeModel" });
const models = distinct(listOf(newModel, 50), "a model", (model) => model.name).describe(
  "Models of the provider to suggest, and what the service does not know of them. Others can be named as well.",
);

/** The body of POST /model-providers. */
export const createModelProviderBody = closed({
  name,
  kind,
  baseUrl: baseUrl.optional(),
  apiKey,
  models: models.default([]),
})
  .refine((body) => body.kind !== "openai-compatible" || body.baseUrl !== undefined, {
    message: "is required for `openai-compatible`",
    path: ["baseUrl"],
  })
  .meta({ id: "CreateModelProvider" });

/** The body of PATCH /model-providers/:providerId. */
export const updateModelProviderBody = changing({ baseUrl, apiKey, models }).meta({
  id: "UpdateModelProvider",
});

/** What is stored of a provider beside its name and its key. */
export const providerRule = open({
  kind,
  baseUrl: z.string(),
  last4: z.string(),
  models: listOf(describedModel),
  updatedAt: z.int().describe("Epoch milliseconds."),
});
/** What a caller says of a provider; the account adds the time. */
export type ProviderRule = Omit<z.infer<typeof providerRule>, "updatedAt">;

/** A provider as the API shows it, without its key. */
export const modelProviderRecord = open({
  providerId: z.string().describe("The id of the provider."),
  name,
  kind,
  baseUrl: z.string().describe("The address of the server's API."),
  apiKey: shownSecret,
  models: listOf(describedModel).describe(models.description ?? ""),
  ...recordTimes,
}).meta({ id: "ModelProvider" });
export type ModelProviderRecord = z.infer<typeof modelProviderRecord>;

/** The body of POST /model-providers/:providerId/test. */
export const testModelProviderBody = closed({
  model: modelFields.name
    .optional()
    .describe("The name of a model at the provider. If left out, the first that is known."),
}).meta({ id: "TestModelProvider" });

/** What came of a trial of a model, in words. */
export const modelTrial = open({
  ok: z.boolean().describe("Whether the model works, tools included."),
  message: z.string().describe("What came of it, in words."),
  durationMs: z.int().describe("How long it took, in milliseconds."),
}).meta({ id: "ModelTrial" });
export type ModelTrial = z.infer<typeof modelTrial>;

/** The body of PUT /models/default. */
export const defaultModelBody = closed({
  model: modelName
    .nullable()
    .describe("The model of executions that name none; null for the default of the service."),
}).meta({ id: "SetDefaultModel" });

/** A provider as the account stores it. */
export interface StoredProvider {
  providerId: string;
  name: string;
  rule: ProviderRule;
  /** The key, sealed for `providerContext`. */
  sealedValue: string;
}

/** The models that an account has beside those of the service. */
export interface AccountModels {
  providers: ModelProviderRecord[];
  /** The account's default; null for the service's. */
  defaultModel: string | null;
}

/** A provider of an account as models are made of it. */
export interface OwnProvider
  extends Pick<ModelProviderRecord, "name" | "kind" | "baseUrl" | "models"> {
  /** Left out where nothing is sent. */
  key?: string;
  connect?: typeof fetch;
  /** Why it cannot be used, if so: what it needs. */
  missing?: string;
}

/** Returns the context under which a key is sealed; no other provider or account can open it. */
export function providerContext(accountId: string, providerId: string): string {
  return `model-provider:${accountId}:${providerId}`;
}
