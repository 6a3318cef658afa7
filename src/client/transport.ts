import type * as z from "zod";
import { startDeadline } from "../lib/deadline.ts";
import { ConnectionError, errorOf, PrompthookError, UnexpectedAnswerError } from "./error.ts";

/** What the client takes from the world besides the network. */
export interface Surroundings {
  /** Epoch milliseconds. */
  now(): number;
  /** Waits; rejects with the signal's reason as soon as that is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** From 0 to below 1. */
  random(): number;
  /** An id that nobody else makes. */
  randomId(): string;
}

/** The runtime's own: Node, Workers and browsers have the same. */
export const RUNTIME: Surroundings = {
  now: Date.now,
  sleep,
  random: Math.random,
  randomId: () => crypto.randomUUID(),
};

function sleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const timer = setTimeout(done, ms);
    function done() {
      signal.removeEventListener("abort", aborted);
      resolve();
    }
    function aborted() {
      clearTimeout(timer);
      reject(signal.reason);
    }
    signal.addEventListener("abort", aborted, { once: true });
  });
}

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;
/** Whoever is asked to wait longer than this is better told. */
const LONGEST_RETRY_AFTER_MS = 60_000;

export interface RetryPolicy {
  /** Tries after the first. */
  maxRetries: number;
  surroundings: Surroundings;
}

/**
 * Makes tries until one succeeds, fails for good, or there were enough. Only for what may safely be
 * done twice: a try that seems to have failed may have been acted on.
 */
export async function retrying<Answer>(
  { maxRetries, surroundings }: RetryPolicy,
  signal: AbortSignal,
  attempt: () => Promise<Answer>,
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await attempt();
    } catch (error) {
      const pauseMs = tries > maxRetries ? null : pauseAfter(error, tries, surroundings.random);
      if (pauseMs === null) throw error;
      await surroundings.sleep(pauseMs, signal);
    }
  }
}

/** How long to wait after a failed try; null for a failure that the next try would meet as well. */
export function pauseAfter(error: unknown, tries: number, random: () => number): number | null {
  if (!isPassing(error)) return null;
  const backoffMs = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (tries - 1));
  // Half of it is left to chance, so that clients that failed together do not come back together.
  const jitterMs = (backoffMs / 2) * random();
  const askedMs = error instanceof ConnectionError ? null : error.retryAfterSeconds;
  if (askedMs === null) return backoffMs / 2 + jitterMs;
  return askedMs * 1_000 > LONGEST_RETRY_AFTER_MS ? null : askedMs * 1_000 + jitterMs;
}

type Passing = ConnectionError | PrompthookError | UnexpectedAnswerError;

function isPassing(error: unknown): error is Passing {
  if (error instanceof ConnectionError) return true;
  if (error instanceof PrompthookError) return [429, 502, 503, 504].includes(error.status);
  // A fault that is not told in the service's way is one of a proxy before it.
  return error instanceof UnexpectedAnswerError && (error.status === 429 || error.status >= 500);
}

export type Fetch = (request: Request) => Promise<Response>;

export interface TransportOptions {
  /** Where the service is, such as `https://prompthook.example.workers.dev`. */
  baseUrl: string;
  apiKey: string;
  fetch: Fetch;
  /** How long the service may be silent, in milliseconds. */
  timeoutMs: number;
  /** Tries after the first, of what may safely be done twice. */
  maxRetries: number;
  surroundings: Surroundings;
}

type QueryValue = string | number | boolean | readonly string[] | undefined;

/** A call to the service. */
export interface Ask {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Under `/api/v1`. */
  path: string;
  query?: Record<string, QueryValue>;
  body?: unknown;
  /** The body as JSON text, in place of `body`. */
  text?: string;
  headers?: Record<string, string>;
  /** Makes repeats of the call harmless, so that it may be tried again. */
  idempotencyKey?: string;
  /** How long the service was asked to wait before it answers, in milliseconds. */
  waitMs?: number;
  signal?: AbortSignal | undefined;
}

/** Sends calls with the key, tries those again that may be, and parses what comes back. */
export class Transport {
  readonly options: TransportOptions;

  constructor(options: TransportOptions) {
    this.options = options;
  }

  /** The answer, parsed; throws a PrompthookError for any but a 2xx. */
  async json<Schema extends z.ZodType>(ask: Ask, schema: Schema): Promise<z.output<Schema>> {
    const { status, text } = await this.#answer(ask, async (response) => ({
      status: response.status,
      text: await response.text(),
    }));
    try {
      return schema.parse(JSON.parse(text));
    } catch (cause) {
      const message = `The answer to ${ask.method} ${ask.path} is not of the expected form.`;
      throw new UnexpectedAnswerError(message, { status, cause });
    }
  }

  /** For an answer without a body. */
  async none(ask: Ask): Promise<void> {
    await this.#answer(ask, async (response) => void (await response.body?.cancel()));
  }

  /** The answer as it came, its body unread; throws a PrompthookError for any but a 2xx. */
  send(ask: Ask): Promise<Response> {
    return this.#answer(ask, async (response) => response);
  }

  #answer<Answer>(ask: Ask, read: (response: Response) => Promise<Answer>): Promise<Answer> {
    const signal = ask.signal ?? new AbortController().signal;
    const attempt = () => this.#attempt(ask, signal, read);
    const isRepeatable = ask.method === "GET" || ask.idempotencyKey !== undefined;
    return isRepeatable ? retrying(this.options, signal, attempt) : attempt();
  }

  async #attempt<Answer>(
    ask: Ask,
    signal: AbortSignal,
    read: (response: Response) => Promise<Answer>,
  ): Promise<Answer> {
    const { fetch, surroundings } = this.options;
    const timeoutMs = this.options.timeoutMs + (ask.waitMs ?? 0);
    signal.throwIfAborted();
    const deadline = startDeadline(timeoutMs, signal);
    const request = this.#request(ask, deadline.signal);
    try {
      const response = await fetch(request);
      if (!response.ok) throw await errorOf(response, surroundings.now());
      return await read(response);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof PrompthookError || error instanceof UnexpectedAnswerError) throw error;
      const what = deadline.expired ? `none within ${timeoutMs} ms` : reasonOf(error);
      throw new ConnectionError(`No answer came from ${request.url}: ${what}.`, { cause: error });
    } finally {
      deadline.clear();
    }
  }

  #request(
    { method, path, query = {}, headers = {}, idempotencyKey, ...content }: Ask,
    signal: AbortSignal,
  ): Request {
    const body = content.text ?? JSON.stringify(content.body);
    const url = new URL(`/api/v1${path}`, this.options.baseUrl);
    for (const [name, value] of Object.entries(query)) {
      for (const one of valuesOf(value)) url.searchParams.append(name, one);
    }
    return new Request(url, {
      method,
      headers: {
        Accept: "application/json",
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...(idempotencyKey !== undefined && { "Idempotency-Key": idempotencyKey }),
        ...headers,
        Authorization: `Bearer ${this.options.apiKey}`,
      },
      ...(body !== undefined && { body }),
      // The service never redirects. Whoever does would be sent the secrets of the body, and by some
      // runtimes the key.
      redirect: "manual",
      signal,
    });
  }
}

function valuesOf(value: QueryValue): string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? [...value] : [String(value)];
}

/** What went wrong with a connection; Node tells it in the cause only. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
