import type { IncomingMessage } from "node:http";
import type { Conversation, Failure, Reply, ScriptedUsage } from "./behaviour.ts";

export const USUAL_USAGE: ScriptedUsage = { inputTokens: 100, outputTokens: 20, cachedTokens: 0 };

/** How one provider's API reads and writes. */
export interface Protocol<R extends Conversation> {
  /** Behind the origin, what clients are configured with. */
  basePath: string;
  /** The request, when it is one that the provider would take, or how it is refused. */
  read(request: IncomingMessage, body: string, apiKey: string | undefined): R | Failure;
  /** The body of a good answer. */
  reply(reply: Reply, request: R): unknown;
  /** The body of an error. */
  error(failure: Failure): unknown;
  /** How a conversation of so many tokens is refused by a window of so many. */
  tooLong(tokens: number, window: number): Failure;
}

/**
 * The tokens of a request as the stingiest tokenizer that we plan for would count them: 2.5 bytes each,
 * of all texts, whatever JSON escapes them.
 */
export function tokensOf(value: unknown): number {
  return Math.ceil(bytesOf(value) / 2.5);
}

function bytesOf(value: unknown): number {
  if (typeof value === "string") return Buffer.byteLength(value);
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + bytesOf(item), 0);
  if (typeof value === "object" && value !== null) {
    return Object.entries(value).reduce((sum, [key, item]) => sum + key.length + bytesOf(item), 0);
  }
  return String(value).length;
}
