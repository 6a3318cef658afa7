import { createParser } from "eventsource-parser";
import * as z from "zod";
import { exactJson } from "../../lib/json-values.ts";
import { type SecretScrubber, scrubberOf } from "../../lib/secret-forms.ts";
import { MOST_OF_TOOLS, parseExactJson, parseStrictJson } from "../../lib/strict-json.ts";
import { OutboundError, type OutboundResponse } from "../../ports/fetch.ts";
import type { McpConnection, McpFailure, McpProgress } from "../../ports/mcp.ts";

const progressNotification = z.object({
  method: z.literal("notifications/progress"),
  params: z.object({
    progress: z.number(),
    total: z.number().optional(),
    message: z.string().optional(),
  }),
});

/** Ending a session is a courtesy; nobody waits long for it. */
const GOODBYE_TIMEOUT_MS = 3_000;

export interface ExchangeLimits {
  /** The most bytes of all responses together. */
  maxBytes: number;
  /** The deadline of each request, in milliseconds. */
  timeoutMs: number;
}

/** Reads progress from the bytes of an event stream as they arrive: the library gets whole responses only. */
function progressReader(
  onProgress: (progress: McpProgress) => void,
  scrub: SecretScrubber["text"],
): (bytes: Uint8Array) => void {
  const decoder = new TextDecoder();
  const parser = createParser({
    onEvent({ data }) {
      const read = parseStrictJson(new TextEncoder().encode(scrub(data)));
      const notification = read.ok ? progressNotification.safeParse(read.value).data : undefined;
      if (notification !== undefined) onProgress(notification.params);
    },
  });
  return (bytes) => parser.feed(decoder.decode(bytes, { stream: true }));
}

/** Returns JSON, or events of JSON, with long whole numbers as texts: the library would round them. */
function keepingDigits(bytes: Uint8Array): Uint8Array {
  const text = new TextDecoder().decode(bytes);
  if (!/\d{16}/.test(text)) return bytes;
  const kept = (json: string) => {
    const read = parseExactJson(new TextEncoder().encode(json), MOST_OF_TOOLS);
    return read.ok ? JSON.stringify(exactJson(read.value)) : json;
  };
  const isJson = text.trimStart().startsWith("{");
  return new TextEncoder().encode(isJson ? kept(text) : text.replace(/(?<=^data: ?)\{.*/gm, kept));
}

/**
 * Provides the requests of one connection as `fetch` for the protocol's library: through the guarded
 * fetch, with the account's headers, whole responses only. Keeps the first failure, since the library
 * reports one failure in many forms.
 */
export class Exchange {
  readonly #connection: McpConnection;
  readonly #limits: ExchangeLimits;
  /** Hides what the headers keep secret in all that the server says. */
  readonly #scrubber: SecretScrubber;
  #bytesLeft: number;
  #failure: McpFailure | null = null;

  constructor(connection: McpConnection, limits: ExchangeLimits) {
    this.#connection = connection;
    this.#limits = limits;
    this.#scrubber = scrubberOf(Object.values(connection.headers));
    this.#bytesLeft = limits.maxBytes;
  }

  /** The first failure of the connection, or of the server's status. */
  get failure(): McpFailure | null {
    return this.#failure;
  }

  readonly fetch = async (url: string | URL, init: RequestInit = {}): Promise<Response> => {
    const method = init.method ?? "GET";
    // The stream of unrequested messages never ends; servers need not offer it.
    if (method === "GET") return new Response(null, { status: 405 });
    const response = await this.#send(String(url), method, init);
    const failure = this.#refusal(response);
    if (failure !== null) throw this.#failed(method, failure);
    const { status, headers } = response;
    const bytes = keepingDigits(this.#scrubber.bytes(response.bytes, false));
    const empty = bytes.byteLength === 0 || status === 204;
    return new Response(empty ? null : new Uint8Array(bytes), { status, headers });
  };

  async #send(url: string, method: string, init: RequestInit): Promise<OutboundResponse> {
    const { headers, fetch, signal, onProgress } = this.#connection;
    const sent = new Headers(init.headers);
    for (const [name, value] of Object.entries(headers)) sent.set(name, value);
    try {
      return await fetch({
        method,
        url,
        headers: Object.fromEntries(sent),
        ...(typeof init.body === "string" ? { body: init.body } : {}),
        maxBytes: this.#bytesLeft,
        timeoutMs: method === "DELETE" ? GOODBYE_TIMEOUT_MS : this.#limits.timeoutMs,
        signal,
        ...(onProgress === undefined
          ? {}
          : { onBytes: progressReader(onProgress, this.#scrubber.text) }),
      });
    } catch (error) {
      if (!(error instanceof OutboundError)) throw error;
      const { code, message, mayHaveTakenEffect } = error;
      throw this.#failed(method, { code, message, mayHaveTakenEffect });
    }
  }

  /** Returns why a response fails the call, or null. The library reads the protocol version from other refusals. */
  #refusal({ status, bytes, cut }: OutboundResponse): McpFailure | null {
    this.#bytesLeft -= bytes.byteLength;
    if (status === 401 || status === 403) {
      const message = `The server refused access (${status}): register it with the headers that it requires, such as Authorization.`;
      return { code: "unauthorized", message, mayHaveTakenEffect: false };
    }
    if (status >= 300 && status < 400) {
      const message = `The server redirects (${status}). Register the address that it redirects to.`;
      return { code: "http_error", message, mayHaveTakenEffect: false };
    }
    if (status === 429 || status >= 500) {
      const message = `The server answered with status ${status}.`;
      return { code: "http_error", message, mayHaveTakenEffect: status >= 500 };
    }
    if (!cut) return null;
    const message = `The server answered more than ${this.#limits.maxBytes} bytes.`;
    return { code: "too_large", message, mayHaveTakenEffect: true };
  }

  #failed(method: string, failure: McpFailure): Error {
    // The result of the DELETE says nothing about the calls before it.
    if (method !== "DELETE") this.#failure ??= failure;
    return new Error(failure.message);
  }
}
