import type * as z from "zod";
import type { TriggerAccepted } from "../contract/account.ts";
import type { AlertRecord } from "../contract/alerts.ts";
import type { AuditEntry } from "../contract/audit.ts";
import type { ConnectionRecord } from "../contract/connections.ts";
import type { DecisionRecord } from "../contract/decisions.ts";
import type { DeliveryRecord, DestinationRecord } from "../contract/destinations.ts";
import type { GivenFiles } from "../contract/files.ts";
import type { replayForecast, replayRecord, retryForecast, retryRecord } from "../contract/jobs.ts";
import type { JsonObject } from "../contract/json.ts";
import type { ApiKeyCreated, ApiKeyRecord } from "../contract/keys.ts";
import type { McpServerRecord } from "../contract/mcp.ts";
import type { MemberRecord } from "../contract/members.ts";
import type { ModelProviderRecord, ModelTrial, UsableModels } from "../contract/models.ts";
import type { rehearsalRecord } from "../contract/rehearsals.ts";
import type { ScheduleRecord } from "../contract/schedule.ts";
import type { WorkflowRecord, WorkflowRevision } from "../contract/workflow.ts";
import type {
  CreateConnectionBody,
  CreateDestinationBody,
  CreateKeyBody,
  CreateMcpServerBody,
  CreateMemberBody,
  CreateModelProviderBody,
  CreateScheduleBody,
  CreateWorkflowBody,
  DecideBody,
  RehearseBody,
  ReplaysBody,
  RetriesBody,
  RotateKeyBody,
  UpdateDestinationBody,
  UpdateMemberBody,
  UpdateModelProviderBody,
  UpdateScheduleBody,
  UpdateWorkflowBody,
} from "./bodies.ts";
import {
  Collection,
  Filtered,
  List,
  NamedRecords,
  type Page,
  Records,
  Resource,
  RevisedRecords,
} from "./resource.ts";
import type { CallOptions, RepeatableOptions } from "./transport.ts";

/** The account's API keys. Only `create` and `rotate` return the text of a key. */
export class Keys extends List<"keys", ApiKeyRecord> {
  readonly rotate = this.sends<RotateKeyBody, ApiKeyCreated>("/rotate");

  create(body: CreateKeyBody, options?: CallOptions): Promise<ApiKeyCreated> {
    return this.transport.post(this.path, body, options);
  }

  revoke(keyId: string, { signal }: CallOptions = {}): Promise<void> {
    return this.transport.delete(this.at(keyId), { signal });
  }
}

/** The people of the account. */
export class Members extends Collection<"members", MemberRecord, CreateMemberBody> {
  update(memberId: string, body: UpdateMemberBody, { signal }: CallOptions = {}) {
    const path = this.at(memberId);
    return this.transport.json<MemberRecord>({ method: "PATCH", path, body, signal });
  }
}

/** Remote MCP servers whose tools the account's agents may use. */
export type McpServers = Collection<"mcpServers", McpServerRecord, CreateMcpServerBody>;

/** Credentials that the account's agents use and never see. */
export type Connections = Collection<"connections", ConnectionRecord, CreateConnectionBody>;

/** The filters of the audit log; times are ISO 8601. */
type AuditFilter = Record<"action" | "resource" | "by" | "from" | "to", string | undefined>;

/** Who did what in the account. */
export type Audit = Filtered<"entries", AuditEntry, AuditFilter>;

type DecisionFilter = Record<"state", DecisionRecord["state"][] | undefined>;

/** What executions ask people. */
export class Decisions extends Filtered<"decisions", DecisionRecord, DecisionFilter> {
  readonly get = this.reads<DecisionRecord>("");
  /** Answers a decision. The first answer counts; a later one fails with `conflict`. */
  readonly decide = this.sends<DecideBody, DecisionRecord>("");
}

/** Where the account's events go. */
export class Destinations extends NamedRecords<
  "destinations",
  DestinationRecord,
  CreateDestinationBody,
  UpdateDestinationBody
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
export class Models extends Resource {
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
export class ModelProviders extends Records<
  "modelProviders",
  ModelProviderRecord,
  CreateModelProviderBody,
  UpdateModelProviderBody
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
  ReplaysBody,
  z.output<typeof replayRecord>,
  z.output<typeof replayForecast>
>;
export type Retries = Jobs<
  RetriesBody,
  z.output<typeof retryRecord>,
  z.output<typeof retryForecast>
>;

/** Workflows: prompts with typed inputs. */
export class Workflows extends RevisedRecords<
  "workflows",
  WorkflowRecord,
  CreateWorkflowBody,
  UpdateWorkflowBody,
  WorkflowRevision
> {
  /** Runs a draft on the inputs of earlier executions, without effects. */
  readonly rehearse = this.sends<RehearseBody, { rehearsalId: string }>("/rehearse");

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
  CreateScheduleBody,
  UpdateScheduleBody
> {
  /** Starts an execution now. Generates an idempotency key unless you pass one. */
  run(scheduleId: string, options: RepeatableOptions = {}) {
    return this.transport.once<TriggerAccepted>(this.at(scheduleId, "/run"), undefined, options);
  }
}
