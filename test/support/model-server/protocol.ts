import type { IncomingMessage } from "node:http";
import type { Conversation, Failure, Reply, ScriptedUsage } from "./behaviour.ts";

export const USUAL_USAGE: ScriptedUsage = { inputTokens: 100, outputTokens: 20, cachedTokens: 0 };

/** One server-sent event, as it is written. */
export type StreamFrame = string;

export const frameOf = (data: unknown, event?: string): StreamFrame =>
  `${event === undefined ? "" : `event: ${event}\n`}data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`;

/** A text in pieces of the size of tokens; a very long one in at most 500. */
export function piecesOf(text: string): string[] {
  const size = Math.max(7, Math.ceil(text.length / 500));
  return Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
    text.slice(at * size, (at + 1) * size),
  );
}

/** How one provider's API reads and writes. */
export interface Protocol<R extends Conversation> {
  /** Behind the origin, what clients are configured with. */
  basePath: string;
  /** The request, when it is one that the provider would take, or how it is refused. */
  read(request: IncomingMessage, body: string, apiKey: string | undefined): R | Failure;
  /** The body of a good answer, piece by piece, or whole where the request asks for no stream. */
  reply(reply: Reply, request: R): StreamFrame[] | { whole: unknown };
  /** An error within a stream. */
  errorFrame(failure: Failure): StreamFrame;
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
