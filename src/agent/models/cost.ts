import type { TokenUsage } from "../../contract/conversation.ts";
import type { ModelPrice } from "../../contract/models.ts";

/** Returns what these tokens cost in USD. Input tokens include the cached ones. */
export function costOf({ inputTokens, cachedTokens, outputTokens }: TokenUsage, price: ModelPrice) {
  const cached = Math.min(cachedTokens, inputTokens);
  const { input, cachedInput = input, output } = price;
  const millionths = (inputTokens - cached) * input + cached * cachedInput + outputTokens * output;
  return Math.round(millionths) / 1_000_000;
}
