import { startDeadline, unlessAborted } from "../lib/async.ts";
import { ConnectionError, errorOf, PrompthookError, UnexpectedResponseError } from "./error.ts";

/** Options of every call. */
export interface CallOptions {
  signal?: AbortSignal | undefined;
}

export interface RepeatableOptions extends CallOptions {
  /** Repeating a call with the same key and body has no further effect and returns the same response. */
  idempotencyKey?: string | undefined;
}

/** Clock, timers and randomness. */
export interface ClientRuntime {
  /** Epoch milliseconds. */
  now(): number;
  /** Waits; rejects with the signal's reason when it aborts. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
  /** Returns a number from 0 (inclusive) to 1 (exclusive). */
  random(): number;
  /** Returns a unique id. */
  randomId(): string;
}

/** The defaults, available in Node, Workers and browsers. */
export const RUNTIME: ClientRuntime = {
  now: Date.now,
  sleep,
  random: Math.random,
  randomId: () => crypto.randomUUID(),
};

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = () => new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)));
  await unlessAborted(signal, over).finally(() => clearTimeout(timer));
}

const FIRST_BACKOFF_MS = 500;
const LONGEST_BACKOFF_MS = 8_000;
/** A longer `Retry-After` is reported to the caller instead of waited for. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/** Returns the pause before the next attempt in milliseconds; null for an error that would repeat. */
export function pauseAfter(error: unknown, tries: number, random: () => number): number | null {
  if (!isTransient(error)) return null;
  const backoffMs = Math.min(LONGEST_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** (tries - 1));
  // Jitter keeps clients that failed together from returning together.
  const jitterMs = (backoffMs / 2) * random();
  const askedMs = error instanceof ConnectionError ? null : error.retryAfterSeconds;
  if (askedMs === null) return backoffMs / 2 + jitterMs;
  return askedMs * 1_000 > LONGEST_RETRY_AFTER_MS ? null : askedMs * 1_000 + jitterMs;
}

type Transient = ConnectionError | PrompthookError | UnexpectedResponseError;

function isTransient(error: unknown): error is Transient {
  if (error instanceof ConnectionError) return true;
  if (error instanceof PrompthookError) return [429, 502, 503, 504].includes(error.status);
  // An error in another format comes from a proxy.
  return error instanceof UnexpectedResponseError && (error.status === 429 || error.status >= 500);
}

export type Fetch = (request: Request) => Promise<Response>;

export interface TransportOptions {
  /** Base URL of the service, such as `https://prompthook.example.workers.dev`. */
  baseUrl: string;
  apiKey: string;
  fetch: Fetch;
  /** Milliseconds to wait for a response. */
  timeoutMs: number;
  /** Retries of calls that are safe to repeat. */
  maxRetries: number;
  runtime: ClientRuntime;
}

type QueryValue = string | number | boolean | readonly string[] | undefined;

/** A request to the service. */
export interface ApiRequest {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Under `/api/v1`. */
  path: string;
  query?: Record<string, QueryValue>;
  body?: unknown;
  /** The body as JSON text, instead of `body`. */
  text?: string;
  headers?: Record<string, string>;
  /** Makes the call safe to repeat. */
  idempotencyKey?: string;
  /** Milliseconds that the service holds a long poll; added to the timeout. */
  waitMs?: number;
  signal?: AbortSignal | undefined;
}

/** Sends requests with the API key, and retries the repeatable ones. */
export class Transport {
  readonly options: TransportOptions;

  constructor(options: TransportOptions) {
    this.options = options;
  }

  /**
   * Returns the response, in the shape that the service promises for the request: nothing checks it again.
   * Throws `PrompthookError` for any status but 2xx.
   */
  async json<Response>(request: ApiRequest): Promise<Response> {
    const { status, text } = await this.#retried(request, async (response) => ({
      status: response.status,
      text: await response.text(),
    }));
    try {
      return JSON.parse(text);
    } catch (cause) {
      const message = `The response to ${request.method} ${request.path} is not JSON.`;
      throw new UnexpectedResponseError(message, { status, cause });
    }
  }

  /** Reads something. */
  get<Reply>(path: string, query: object = {}, { signal }: CallOptions = {}): Promise<Reply> {
    return this.json({ method: "GET", path, query: { ...query }, signal });
  }

  /** Sends a body, if there is one, that may take effect again if it is sent again. */
  post<Reply>(path: string, body?: unknown, { signal }: CallOptions = {}): Promise<Reply> {
    return this.json({ method: "POST", path, body, signal });
  }

  /** The same for a request that takes effect once, by a key of its own unless the caller passes one. */
  once<Reply>(
    path: string,
    body: unknown,
    { idempotencyKey = this.options.runtime.randomId(), signal }: RepeatableOptions,
  ): Promise<Reply> {
    return this.json({ method: "POST", path, body, idempotencyKey, signal });
  }

  /** Deletes something. */
  async delete(path: string, options: Pick<ApiRequest, "headers" | "signal">): Promise<void> {
    await this.#retried(
      { method: "DELETE", path, ...options },
      async (response) => void (await response.body?.cancel()),
    );
  }

  /** Returns the response with its body unread. Throws `PrompthookError` for any status but 2xx. */
  send(request: ApiRequest): Promise<Response> {
    return this.#retried(request, async (response) => response);
  }

  /** An attempt without a response may have taken effect: only what is safe to repeat is repeated. */
  async #retried<T>(request: ApiRequest, read: (response: Response) => Promise<T>): Promise<T> {
    const { maxRetries, runtime } = this.options;
    const signal = request.signal ?? new AbortController().signal;
    const isRepeatable =
      ["GET", "PUT"].includes(request.method) || request.idempotencyKey !== undefined;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#attempt(request, signal, read);
      } catch (error) {
        const isOver = !isRepeatable || tries > maxRetries;
        const pauseMs = isOver ? null : pauseAfter(error, tries, runtime.random);
        if (pauseMs === null) throw error;
        await runtime.sleep(pauseMs, signal);
      }
    }
  }

  async #attempt<T>(
    apiRequest: ApiRequest,
    signal: AbortSignal,
    read: (response: Response) => Promise<T>,
  ): Promise<T> {
    const { fetch, runtime } = this.options;
    const timeoutMs = this.options.timeoutMs + (apiRequest.waitMs ?? 0);
    signal.throwIfAborted();
    const deadline = startDeadline(timeoutMs, signal);
    const request = this.#build(apiRequest, deadline.signal);
    try {
      const response = await fetch(request);
      if (!response.ok) throw await errorOf(response, runtime.now());
      return await read(response);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof PrompthookError || error instanceof UnexpectedResponseError) throw error;
      const what = deadline.expired ? `timed out after ${timeoutMs} ms` : reasonOf(error);
      throw new ConnectionError(`No response from ${request.url}: ${what}.`, { cause: error });
    } finally {
      deadline.clear();
    }
  }

  #build(
    { method, path, query = {}, headers = {}, idempotencyKey, ...content }: ApiRequest,
    signal: AbortSignal,
  ): Request {
    const body = content.text ?? JSON.stringify(content.body);
    const url = new URL(`/api/v1${path}`, this.options.baseUrl);
    for (const [name, value] of Object.entries(query)) {
      for (const one of [value ?? []].flat()) url.searchParams.append(name, String(one));
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
      // The service never redirects. Following a redirect would send the body's secrets, and in some
      // runtimes the key, to another host.
      redirect: "manual",
      signal,
    });
  }
}

/** Returns why a connection failed; Node puts it in the cause. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}
