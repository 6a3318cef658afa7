import type { Caller, Credits } from "../contract/account.ts";
import type { QuotaUse } from "../contract/quotas.ts";
import type { Usage, UsageBreakdown } from "../contract/usage.ts";
import { isLoopbackHost } from "../lib/http.ts";
import {
  type Alerts,
  type Audit,
  type Connections,
  Decisions,
  Destinations,
  Jobs,
  Keys,
  type McpServers,
  Members,
  ModelProviders,
  Models,
  type Replays,
  type Retries,
  Schedules,
  Workflows,
} from "./account.ts";
import { Executions } from "./executions.ts";
import { Collection, Filtered, List, type UsageQuery } from "./resource.ts";
import {
  type ApiRequest,
  type CallOptions,
  type ClientRuntime,
  type Fetch,
  RUNTIME,
  Transport,
} from "./transport.ts";
import { Webhooks } from "./webhooks.ts";

export interface PrompthookOptions {
  /** Base URL of the service, such as `https://prompthook.example.workers.dev`. */
  baseUrl: string;
  /** An API key, `ph_live_...`. */
  apiKey: string;
  /** Replaces the global `fetch`. */
  fetch?: Fetch;
  /** Milliseconds to wait for a response or the next stream chunk (default 60,000). */
  timeoutMs?: number;
  /**
   * Retries of a call that is safe to repeat: a read, or a call with an idempotency key (default 3).
   */
  maxRetries?: number;
  /** Replaces the clock, timers and randomness, for tests. */
  runtime?: Partial<ClientRuntime>;
}

/** The connection of a client. */
class Connected {
  protected readonly transport: Transport;

  constructor({
    baseUrl,
    apiKey,
    fetch = (request) => globalThis.fetch(request),
    timeoutMs = 60_000,
    maxRetries = 3,
    runtime = {},
  }: PrompthookOptions) {
    checkBaseUrl(baseUrl);
    // Also where types are not checked: a variable that is not set would be sent as the key "undefined".
    if (typeof apiKey !== "string" || apiKey === "") {
      throw new TypeError("apiKey is missing. Pass an API key, which begins with ph_live_.");
    }
    this.transport = new Transport({
      baseUrl,
      apiKey,
      fetch,
      timeoutMs,
      maxRetries,
      runtime: { ...RUNTIME, ...runtime },
    });
  }
}

/** A client for one account. */
export class Prompthook extends Connected {
  readonly executions = new Executions(this.transport, "/agent/trigger");
  readonly decisions = new Decisions(this.transport, "/decisions", "decisions");
  readonly workflows = new Workflows(this.transport, "/workflows", "workflows");
  readonly schedules = new Schedules(this.transport, "/schedules", "schedules");
  readonly replays: Replays = new Jobs(this.transport, "/replays");
  readonly retries: Retries = new Jobs(this.transport, "/agent/retries");
  readonly webhooks = new Webhooks(this.transport, "/webhooks", "endpoints");
  readonly keys = new Keys(this.transport, "/keys", "keys");
  readonly members = new Members(this.transport, "/members", "members");
  readonly destinations = new Destinations(this.transport, "/destinations", "destinations");
  readonly alerts: Alerts = new List(this.transport, "/alerts", "alerts");
  readonly audit: Audit = new Filtered(this.transport, "/audit", "entries");
  readonly mcpServers: McpServers = new Collection(this.transport, "/mcp-servers", "mcpServers");
  readonly connections: Connections = new Collection(this.transport, "/connections", "connections");
  readonly models = new Models(this.transport, "/models");
  readonly modelProviders = new ModelProviders(
    this.transport,
    "/model-providers",
    "modelProviders",
  );

  /** Calls any route; `path` is that under `/api/v1`. Throws `PrompthookError` for any status but 2xx. */
  request(request: Pick<ApiRequest, "method" | "path" | "body" | "signal">): Promise<Response> {
    return this.transport.send(request);
  }

  /** Returns the account of the key, and the key's scopes. */
  account(options?: CallOptions) {
    return this.transport.get<Caller>("/account", {}, options);
  }

  credits(options?: CallOptions) {
    return this.transport.get<Credits>("/agent/credits", {}, options);
  }

  /** Returns executions and credits over time. */
  usage(query: UsageQuery = {}, options?: CallOptions) {
    return this.transport.get<Usage>("/usage", query, options);
  }

  /** Returns executions and credits by workflow or by key. */
  usageBreakdown(
    query: UsageQuery & { by?: "workflow" | "key" | "model" } = {},
    options?: CallOptions,
  ) {
    return this.transport.get<UsageBreakdown>("/usage/breakdown", query, options);
  }

  /** Returns each quota of the account with what is used of it. */
  quotas(options?: CallOptions) {
    return this.transport.get<QuotaUse>("/usage/quotas", {}, options);
  }
}

/** Refuses plain HTTP here: by the time the service refuses it, the key has crossed the network in the clear. */
function checkBaseUrl(baseUrl: string): void {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : null;
  const isSafe =
    url?.protocol === "https:" || (url?.protocol === "http:" && isLoopbackHost(url.hostname));
  if (!isSafe) throw new TypeError(`baseUrl must be an https:// URL, not "${baseUrl}"`);
}
