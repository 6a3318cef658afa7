import type * as z from "zod";
import { startDeadline } from "../lib/deadline.ts";
import { ConnectionError, errorOf, PrompthookError, UnexpectedAnswerError } from "./error.ts";
import { retrying } from "./retry.ts";
import type { Surroundings } from "./surroundings.ts";

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
