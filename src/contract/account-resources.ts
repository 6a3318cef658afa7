import type { Actor } from "./actor.ts";
import type { AlertRecord, EndpointHealth } from "./alerts.ts";
import type { AuditEntry, AuditQuery } from "./audit.ts";
import type { Attempted, DeliveryReport, OwedAddress } from "./callbacks.ts";
import type { AddReply, ConnectionRecord, NewConnection } from "./connections.ts";
import type { DecisionQuery, KnownDecision, StoredDecision } from "./decisions.ts";
import type {
  AddDestinationReply,
  ChangeDestinationReply,
  DeliveryQuery,
  DeliveryRecord,
  DestinationChange,
  DestinationMessage,
  DestinationOrder,
  DestinationRecord,
  Recipient,
  StoredDestination,
} from "./destinations.ts";
import type {
  AddMemberReply,
  ChangeMemberReply,
  KeptKeyRecord,
  MemberChange,
  MemberRecord,
  NewMember,
  Scope,
  SignedIn,
  SignInMethod,
} from "./keys.ts";
import type { McpEndpoint, McpServerRecord, NewMcpServer } from "./mcp.ts";
import type { SubscriptionsApi } from "./mcp-events.ts";
import type { AccountModels, ModelProviderRecord, ProviderRule, StoredProvider } from "./models.ts";

export interface NewKey {
  keyId: string;
  keyHash: string;
  last4: string;
  name: string;
  scopes: Scope[];
  expiresAt: number | null;
  /** The only endpoints that a token of the MCP server reaches; null or left out for all. */
  endpointIds?: string[] | null;
}

/** `full`: the account has the most valid keys that it may have. */
export type CreateKeyReply = { kind: "created"; record: KeptKeyRecord } | { kind: "full" };

export type RotateReply =
  | { kind: "rotated"; record: KeptKeyRecord }
  | { kind: "not_found" }
  | { kind: "full" };

/**
 * The part of an account's object that owns its resources. The caller has been authorized; the audit log
 * names the actor of each change.
 */
export interface AccountResourcesApi extends SubscriptionsApi {
  /** Keys, and the tokens of the MCP server and the shares, whose ids begin otherwise. */
  createKey(key: NewKey, actor?: Actor): Promise<CreateKeyReply>;
  listKeys(): Promise<KeptKeyRecord[]>;
  revokeKey(keyId: string, actor?: Actor): Promise<boolean>;
  /** Whether a key is valid now. */
  isValidKey(keyId: string): Promise<boolean>;
  /** Returns what a share is of; null if it was revoked, or the account is not active. */
  openShare(shareId: string): Promise<string | null>;
  /** Revokes a key by its hash; returns its id, or null if there is none. */
  revokeByHash(keyHash: string, actor?: Actor): Promise<string | null>;
  /** Adds `key` with the old key's name and scopes; the old one works for `overlapSeconds` more. */
  rotateKey(
    keyId: string,
    key: Pick<NewKey, "keyId" | "keyHash" | "last4">,
    overlapSeconds: number,
    actor?: Actor,
  ): Promise<RotateReply>;

  /** Members. */
  listMembers(): Promise<MemberRecord[]>;
  addMember(member: NewMember, actor?: Actor): Promise<AddMemberReply>;
  changeMember(memberId: string, change: MemberChange, actor?: Actor): Promise<ChangeMemberReply>;
  removeMember(memberId: string, actor?: Actor): Promise<ChangeMemberReply>;
  /** Begins a session of the member with this proven address; null if there is none. */
  signIn(
    email: string,
    tokenHash: string,
    method: SignInMethod,
    requestId: string,
  ): Promise<SignedIn | null>;
  signOut(tokenHash: string): Promise<void>;
  /** Returns the name of the account to a member with this proven address; null to anyone else. */
  nameForMember(email: string): Promise<string | null>;

  /** Returns up to `limit` entries of the audit log that the object has, newest first. */
  audit(query: AuditQuery): Promise<AuditEntry[]>;

  /** Decisions of its executions, newest first. */
  listDecisions(query: DecisionQuery): Promise<StoredDecision[]>;
  knownDecision(decisionId: string): Promise<KnownDecision | null>;
  /** Sends the recipient of a link a code by e-mail; false if there were too many. */
  sendDecisionCode(
    decisionId: string,
    recipient: string,
    email: string,
    origin: string,
  ): Promise<boolean>;
  isDecisionCode(decisionId: string, recipient: string, code: string): Promise<boolean>;

  /** Remote MCP servers. */
  addMcpServer(server: NewMcpServer, actor?: Actor): Promise<AddReply<McpServerRecord>>;
  listMcpServers(): Promise<McpServerRecord[]>;
  removeMcpServer(serverId: string, actor?: Actor): Promise<boolean>;
  /** Returns the endpoints of these servers for the account's own sessions, without removed ones. */
  mcpEndpoints(serverIds: string[]): Promise<McpEndpoint[]>;

  /** Connections. */
  addConnection(connection: NewConnection, actor?: Actor): Promise<AddReply<ConnectionRecord>>;
  listConnections(): Promise<ConnectionRecord[]>;
  removeConnection(connectionId: string, actor?: Actor): Promise<boolean>;
  /**
   * Returns these connections for the account's own sessions, without removed ones. Older code asks by ids
   * alone, which misses one that was replaced under its name.
   */
  sealedConnections(connectionIds: string[], names?: string[]): Promise<NewConnection[]>;

  /** Destinations, and what is owed to them. */
  addDestination(destination: StoredDestination, actor?: Actor): Promise<AddDestinationReply>;
  listDestinations(): Promise<DestinationRecord[]>;
  /** Returns the destination with this id or external id as it is stored, or null. */
  destinationAt(id: string): Promise<StoredDestination | null>;
  /** Changes a destination, if it still is at the revision that is named. */
  changeDestination(
    destinationId: string,
    change: DestinationChange,
    actor?: Actor,
    ifRevision?: number,
  ): Promise<ChangeDestinationReply>;
  removeDestination(destinationId: string, actor?: Actor): Promise<boolean>;
  /**
   * Sends one message to one recipient, whatever events it takes; a repeat of the same key changes nothing.
   * Returns the id of the delivery, or null if there is no such destination or it is disabled.
   */
  sendTo(recipient: Recipient, message: DestinationMessage): Promise<string | null>;
  /** Returns the deliveries of a destination; null if there is no such destination. */
  deliveriesTo(destinationId: string, query: DeliveryQuery): Promise<DeliveryRecord[] | null>;
  /** Returns what is wrong now. */
  alerts(): Promise<AlertRecord[]>;
  /** Notes what an inbox reports of its endpoint. */
  noteEndpoint(health: EndpointHealth): Promise<void>;
  redeliverTo(address: OwedAddress): Promise<DeliveryRecord | null>;
  /** Returns what to deliver now, or null if this attempt is over, stale, or running elsewhere. */
  beginDelivery(address: OwedAddress, ...of: Attempted): Promise<DestinationOrder | null>;
  endDelivery(address: OwedAddress, ...of: [...Attempted, report: DeliveryReport]): Promise<void>;

  /** Model providers. */
  addModelProvider(provider: StoredProvider, actor?: Actor): Promise<AddReply<ModelProviderRecord>>;
  /** Replaces the rule and, unless it is null, the sealed key of a provider; null if there is none. */
  changeModelProvider(
    providerId: string,
    rule: ProviderRule,
    sealedValue: string | null,
    actor?: Actor,
  ): Promise<ModelProviderRecord | null>;
  /** Removes a provider, and the account's default model if it is of this provider. */
  removeModelProvider(providerId: string, actor?: Actor): Promise<boolean>;
  models(): Promise<AccountModels>;
  setDefaultModel(model: string | null, actor?: Actor): Promise<void>;
  /** Returns these providers for the account's own sessions, without removed ones. */
  sealedProviders(providerIds: string[]): Promise<StoredProvider[]>;
}
