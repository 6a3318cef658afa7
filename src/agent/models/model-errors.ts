import { AISDKError, APICallError } from "ai";
import { ModelError } from "../../contract/conversation.ts";
import { retryAfterMs } from "../../lib/retry-after.ts";

const LONGEST_DETAIL = 300;
/** Request timeout, conflict, too early, too many requests: the same request may do later. */
const RETRYABLE = new Set([408, 409, 425, 429]);

export interface ErrorContext {
  /** Never to be told to anybody. */
  apiKey: string | undefined;
  now: Date;
}

/** Says what went wrong with a model call in a sentence for the client, and whether to try again. */
export function asModelError(error: unknown, context: ErrorContext): ModelError {
  if (error instanceof ModelError) return error;
  if (APICallError.isInstance(error) && error.statusCode !== undefined) {
    return fromStatus(error, error.statusCode, context);
  }
  const message =
    AISDKError.isInstance(error) && !APICallError.isInstance(error)
      ? "The model's answer could not be understood."
      : "The model's server could not be reached, or broke off.";
  return new ModelError(message, { retryable: true });
}

function fromStatus(error: APICallError, status: number, context: ErrorContext): ModelError {
  if (status >= 200 && status < 300) {
    return new ModelError("The model's answer could not be understood.", { retryable: true });
  }
  if (status >= 500 || RETRYABLE.has(status)) {
    return new ModelError(retryableSentence(status), {
      retryable: true,
      retryAfterMs: requestedWait(error.responseHeaders ?? {}, context.now),
    });
  }
  return new ModelError(finalSentence(error, status, context), { retryable: false });
}

function retryableSentence(status: number): string {
  if (status === 429) return "The model's server asks to slow down (429).";
  return `The model's server failed (${status}).`;
}

function finalSentence(error: APICallError, status: number, { apiKey }: ErrorContext): string {
  // What a server says to a wrong key often quotes the key.
  if (status === 401) return "The model's server does not accept the API key (401).";
  if (status === 403) return "The model's server does not allow this model to the API key (403).";
  const said = apiKey ? error.message.replaceAll(apiKey, "[key]") : error.message;
  const detail = said.length > LONGEST_DETAIL ? `${said.slice(0, LONGEST_DETAIL)}…` : said;
  const what = status === 404 ? "does not know the model or the address" : "refused the request";
  return `The model's server ${what} (${status}): ${detail}`;
}

/** `retry-after-ms` is what OpenAI and Azure send beside the standard header, and finer. */
function requestedWait(headers: Record<string, string>, now: Date): number | null {
  const exact = headers["retry-after-ms"];
  if (exact !== undefined && /^\d{1,12}(?:\.\d{1,9})?$/.test(exact))
    return Math.ceil(Number(exact));
  return retryAfterMs(headers["retry-after"] ?? null, now.getTime());
}
