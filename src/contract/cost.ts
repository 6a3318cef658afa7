import type { TokenUsage } from "./conversation.ts";
import type { ChosenModel, ModelPrice } from "./models.ts";

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
