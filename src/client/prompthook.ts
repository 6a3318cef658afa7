import { credits } from "../contract/account.ts";
import { usage } from "../contract/usage.ts";
import { isLoopbackHost } from "../lib/loopback-host.ts";
import { Keys, McpServers } from "./account.ts";
import { Executions } from "./executions.ts";
import type { Abortable, UsageQuery } from "./paging.ts";
import { type Fetch, RUNTIME, type Surroundings, Transport } from "./transport.ts";
import { Webhooks } from "./webhooks.ts";
import { Workflows } from "./workflows.ts";

export interface PrompthookOptions {
  /** Where the service is, such as `https://prompthook.example.workers.dev`. */
  baseUrl: string;
  /** An API key, `ph_live_...`. */
  apiKey: string;
  /** In place of the global `fetch`. */
  fetch?: Fetch;
  /** How long the service may be silent before a call has failed: a minute, if not set otherwise. */
  timeoutMs?: number;
  /**
   * How often a call is tried again that may safely be: one that reads, or has an idempotency key.
   * Three times, if not set otherwise; 0 for never.
   */
  maxRetries?: number;
  /** In place of the runtime's clock, timer and chance. */
  surroundings?: Partial<Surroundings>;
}

/** A client of the service, for one account. */
export class Prompthook {
  readonly executions: Executions;
  readonly workflows: Workflows;
  readonly webhooks: Webhooks;
  readonly keys: Keys;
  readonly mcpServers: McpServers;
  readonly #transport: Transport;

  constructor({
    baseUrl,
    apiKey,
    fetch = (request) => globalThis.fetch(request),
    timeoutMs = 60_000,
    maxRetries = 3,
    surroundings = {},
  }: PrompthookOptions) {
    checkBaseUrl(baseUrl);
    this.#transport = new Transport({
      baseUrl,
      apiKey,
      fetch,
      timeoutMs,
      maxRetries,
      surroundings: { ...RUNTIME, ...surroundings },
    });
    this.executions = new Executions(this.#transport);
    this.workflows = new Workflows(this.#transport);
    this.webhooks = new Webhooks(this.#transport);
    this.keys = new Keys(this.#transport);
    this.mcpServers = new McpServers(this.#transport);
  }

  credits({ signal }: Abortable = {}) {
    return this.#transport.json({ method: "GET", path: "/agent/credits", signal }, credits);
  }

  /** Executions and credits over time. */
  usage(query: UsageQuery = {}, { signal }: Abortable = {}) {
    const ask = { method: "GET", path: "/usage", query: { ...query }, signal } as const;
    return this.#transport.json(ask, usage);
  }
}

/** The service refuses plain HTTP, but only once the key has crossed the network in the clear. */
function checkBaseUrl(baseUrl: string): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const isSafe =
    url?.protocol === "https:" || (url?.protocol === "http:" && isLoopbackHost(url.hostname));
  if (!isSafe) throw new TypeError(`baseUrl must be an https:// address, not "${baseUrl}"`);
}
