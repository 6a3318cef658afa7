import type * as z from "zod";
import type { Caller, Credits, TriggerAccepted } from "../contract/account.ts";
import type { AlertRecord } from "../contract/alerts.ts";
import type { AuditEntry } from "../contract/audit.ts";
import type { ConnectionRecord } from "../contract/connections.ts";
import type { DecisionRecord } from "../contract/decisions.ts";
import type { DeliveryRecord, DestinationRecord } from "../contract/destinations.ts";
import type { GivenFiles } from "../contract/files.ts";
import type { replayForecast, replayRecord, retryForecast, retryRecord } from "../contract/jobs.ts";
import type { JsonObject } from "../contract/json.ts";
import type { ApiKeyCreated, ApiKeyRecord, MemberRecord } from "../contract/keys.ts";
import type { McpServerRecord } from "../contract/mcp.ts";
import type { ModelProviderRecord, ModelTrial, UsableModels } from "../contract/models.ts";
import type { QuotaUse } from "../contract/operators.ts";
import type { rehearsalRecord } from "../contract/rehearsals.ts";
import type { ScheduleRecord } from "../contract/schedule.ts";
import type { ShareRecord } from "../contract/shares.ts";
import type { Usage, UsageBreakdown } from "../contract/usage.ts";
import type { WorkflowRecord, WorkflowRevision } from "../contract/workflow.ts";
import { isLoopbackHost } from "../lib/http.ts";
import type * as bodies from "./bodies.ts";
import { Executions } from "./executions.ts";
import {
  Collection,
  Filtered,
  List,
  NamedRecords,
  type Page,
  Records,
  Resource,
  RevisedRecords,
  type UsageQuery,
} from "./resource.ts";
import {
  type ApiRequest,
  type CallOptions,
  type ClientRuntime,
  type Fetch,
  type RepeatableOptions,
  RUNTIME,
  Transport,
} from "./transport.ts";
import { Webhooks } from "./webhooks.ts";

/** The account's API keys. Only `create` and `rotate` return the text of a key. */
export class Keys extends Collection<"keys", ApiKeyRecord, bodies.CreateKeyBody, ApiKeyCreated> {
  readonly rotate = this.sends<bodies.RotateKeyBody, ApiKeyCreated>("/rotate");
  /** Revokes a key at once, as `delete` does. */
  readonly revoke = this.delete;
}

/** The people of the account. */
class Members extends Collection<"members", MemberRecord, bodies.CreateMemberBody> {
  update(memberId: string, body: bodies.UpdateMemberBody, { signal }: CallOptions = {}) {
    const path = this.at(memberId);
    return this.transport.json<MemberRecord>({ method: "PATCH", path, body, signal });
  }
}

/** Remote MCP servers whose tools the account's agents may use. */
export type McpServers = Collection<"mcpServers", McpServerRecord, bodies.CreateMcpServerBody>;

/** Credentials that the account's agents use and never see. */
export type Connections = Collection<"connections", ConnectionRecord, bodies.CreateConnectionBody>;

/** Links to results and requests, for people without a key. Deleting one revokes it. */
export type Shares = Collection<"shares", ShareRecord, bodies.CreateShareBody>;

/** The filters of the audit log; times are ISO 8601. */
type AuditFilter = Record<"action" | "resource" | "by" | "from" | "to", string | undefined>;

/** Who did what in the account. */
export type Audit = Filtered<"entries", AuditEntry, AuditFilter>;

type DecisionFilter = Record<"state", DecisionRecord["state"][] | undefined>;

/** What executions ask people. */
class Decisions extends Filtered<"decisions", DecisionRecord, DecisionFilter> {
  readonly get = this.reads<DecisionRecord>("");
  /** Answers a decision. The first answer counts; a later one fails with `conflict`. */
  readonly decide = this.sends<bodies.DecideBody, DecisionRecord>("");
}

/** Where the account's events go. */
class Destinations extends NamedRecords<
  "destinations",
  DestinationRecord,
  bodies.CreateDestinationBody,
  bodies.UpdateDestinationBody
> {
  readonly enable = this.acts<DestinationRecord>("/enable");
  readonly disable = this.acts<DestinationRecord>("/disable");
  /** Sends a test message. */
  readonly ping = this.acts<DeliveryRecord>("/ping");
  /** Returns a page of what was sent, newest first. */
  readonly deliveries = this.asks<Page<"deliveries", DeliveryRecord>>("/deliveries");

  /** Delivers a message once more, under the same `webhook-id`. */
  redeliver(destinationId: string, deliveryId: string, options?: CallOptions) {
    const path = this.at(destinationId, `/deliveries/${encodeURIComponent(deliveryId)}/redeliver`);
    return this.transport.post<DeliveryRecord>(path, undefined, options);
  }
}

/** What is wrong in the account now. */
export type Alerts = List<"alerts", AlertRecord>;

/** The models that executions can ask. */
class Models extends Resource {
  list(options?: CallOptions): Promise<UsableModels> {
    return this.transport.get(this.path, {}, options);
  }

  /** Sets the model of executions that name none; null returns to the default of the service. */
  setDefault(model: string | null, { signal }: CallOptions = {}): Promise<UsableModels> {
    const path = this.at("default");
    return this.transport.json({ method: "PUT", path, body: { model }, signal });
  }
}

/** The account's own providers of models. */
class ModelProviders extends Records<
  "modelProviders",
  ModelProviderRecord,
  bodies.CreateModelProviderBody,
  bodies.UpdateModelProviderBody
> {
  /** Asks a model of the provider once. The provider charges for the call. */
  readonly test = this.sends<{ model?: string }, ModelTrial>("/test");
}

/** Replays of requests, or retries of executions: many at once, each once. */
export class Jobs<Body extends object, State, Forecast> extends Resource {
  readonly get = this.reads<State>("");

  create(body: Body, options?: CallOptions): Promise<State> {
    return this.transport.post(this.path, body, options);
  }

  /** Returns what would happen. */
  dryRun(body: Body, options?: CallOptions): Promise<Forecast> {
    return this.transport.post(this.path, { ...body, dryRun: true }, options);
  }

  /** Starts nothing more. */
  cancel(id: string, { signal }: CallOptions = {}): Promise<void> {
    return this.transport.delete(this.at(id), { signal });
  }
}

export type Replays = Jobs<
  bodies.ReplaysBody,
  z.output<typeof replayRecord>,
  z.output<typeof replayForecast>
>;
export type Retries = Jobs<
  bodies.RetriesBody,
  z.output<typeof retryRecord>,
  z.output<typeof retryForecast>
>;

/** Workflows: prompts with typed inputs. */
export class Workflows extends RevisedRecords<
  "workflows",
  WorkflowRecord,
  bodies.CreateWorkflowBody,
  bodies.UpdateWorkflowBody,
  WorkflowRevision
> {
  /** Runs a draft on the inputs of earlier executions, without effects. */
  readonly rehearse = this.sends<bodies.RehearseBody, { rehearsalId: string }>("/rehearse");

  /** Starts an agent with these inputs. Generates an idempotency key unless you pass one. */
  run(
    workflowId: string,
    inputs: JsonObject,
    { files, ...options }: RepeatableOptions & { files?: GivenFiles | undefined } = {},
  ) {
    const body = { inputs, ...(files && { files }) };
    return this.transport.once<TriggerAccepted>(this.at(workflowId, "/run"), body, options);
  }

  /** Returns what a rehearsal found so far. */
  rehearsal(rehearsalId: string, options?: CallOptions) {
    const path = `/rehearsals/${encodeURIComponent(rehearsalId)}`;
    return this.transport.get<z.output<typeof rehearsalRecord>>(path, {}, options);
  }
}

/** Schedules: workflows that run at set times. */
export class Schedules extends NamedRecords<
  "schedules",
  ScheduleRecord,
  bodies.CreateScheduleBody,
  bodies.UpdateScheduleBody
> {
  /** Starts an execution now. Generates an idempotency key unless you pass one. */
  run(scheduleId: string, options: RepeatableOptions = {}) {
    return this.transport.once<TriggerAccepted>(this.at(scheduleId, "/run"), undefined, options);
  }
}

export interface PrompthookOptions {
  /** Base URL of the service, such as `https://prompthook.example.workers.dev`. */
  baseUrl: string;
  /** An API key, `ph_live_...`. */
  apiKey: string;
  /** Replaces the global `fetch`. */
  fetch?: Fetch;
  /** Milliseconds to wait for a response or the next stream chunk (default 60,000). */
  timeoutMs?: number;
  /** Retries of a call that is safe to repeat: a read, or a call with an idempotency key (default 3). */
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
    const options = { baseUrl, apiKey, fetch, timeoutMs, maxRetries };
    this.transport = new Transport({ ...options, runtime: { ...RUNTIME, ...runtime } });
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
  readonly shares: Shares = new Collection(this.transport, "/shares", "shares");
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

  /** Returns executions and credits by workflow, key or model. */
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
