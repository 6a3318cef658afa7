import type * as z from "zod";
import { errorOf } from "./error.ts";

export type Fetch = (request: Request) => Promise<Response>;

export interface TransportOptions {
  /** Where the service is, such as `https://prompthook.example.workers.dev`. */
  baseUrl: string;
  apiKey: string;
  fetch: Fetch;
}

type QueryValue = string | number | boolean | readonly string[] | undefined;

/** A call to the service. */
export interface Ask {
  method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Under `/api/v1`. */
  path: string;
  query?: Record<string, QueryValue>;
  body?: unknown;
  headers?: Record<string, string>;
  signal?: AbortSignal | undefined;
}

/** Sends calls with the key, and parses what comes back. */
export class Transport {
  readonly #options: TransportOptions;

  constructor(options: TransportOptions) {
    this.#options = options;
  }

  /** The answer, parsed; throws a PrompthookError for any but a 2xx. */
  async json<Schema extends z.ZodType>(ask: Ask, schema: Schema): Promise<z.output<Schema>> {
    const response = await this.send(ask);
    return schema.parse(await response.json());
  }

  /** For an answer without a body. */
  async none(ask: Ask): Promise<void> {
    await this.send(ask);
  }

  /** The answer as it came; throws a PrompthookError for any but a 2xx. */
  async send({ method, path, query = {}, body, headers = {}, signal }: Ask): Promise<Response> {
    const url = new URL(`/api/v1${path}`, this.#options.baseUrl);
    for (const [name, value] of Object.entries(query)) {
      for (const one of valuesOf(value)) url.searchParams.append(name, one);
    }
    const request = new Request(url, {
      method,
      headers: {
        Accept: "application/json",
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...headers,
        Authorization: `Bearer ${this.#options.apiKey}`,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    });
    const response = await this.#options.fetch(request);
    if (!response.ok) throw await errorOf(response);
    return response;
  }
}

function valuesOf(value: QueryValue): string[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? [...value] : [String(value)];
}
