import * as z from "zod";
import type { TokenUsage } from "./conversation.ts";
import { distinct, listOf, open } from "./fields.ts";

/** Names a model as `provider/name`. */
export const modelName = z
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
