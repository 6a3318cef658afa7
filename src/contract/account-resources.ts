import type { Actor } from "./actor.ts";
import type { AuditEntry, AuditQuery } from "./audit.ts";
import type {
  AddConnectionReply,
  ConnectionRecord,
  NewConnection,
  SealedConnection,
} from "./connections.ts";
import type { ApiKeyRecord, Scope } from "./keys.ts";
import type { AddMcpServerReply, McpEndpoint, McpServerRecord, NewMcpServer } from "./mcp.ts";
import type {
  AddMemberReply,
  ChangeMemberReply,
  MemberChange,
  MemberRecord,
  NewMember,
  SignedIn,
  SignInMethod,
} from "./members.ts";

export interface NewKey {
  keyId: string;
  keyHash: string;
  last4: string;
  name: string;
  scopes: Scope[];
  expiresAt: number | null;
}

/** `full`: the account has the most valid keys that it may have. */
export type CreateKeyReply = { kind: "created"; record: ApiKeyRecord } | { kind: "full" };

export type RotateReply =
  | { kind: "rotated"; record: ApiKeyRecord }
  | { kind: "not_found" }
  | { kind: "full" };

/**
 * The part of an account's object that owns its resources. The caller has been authorized; the audit log
 * names the actor of each change.
 */
export interface AccountResourcesApi {
  /** Keys. */
  createKey(key: NewKey, actor?: Actor): Promise<CreateKeyReply>;
  listKeys(): Promise<ApiKeyRecord[]>;
  revokeKey(keyId: string, actor?: Actor): Promise<boolean>;
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

  /** Remote MCP servers. */
  addMcpServer(server: NewMcpServer, actor?: Actor): Promise<AddMcpServerReply>;
  listMcpServers(): Promise<McpServerRecord[]>;
  removeMcpServer(serverId: string, actor?: Actor): Promise<boolean>;
  /** Returns the endpoints of these servers for the account's own sessions, without removed ones. */
  mcpEndpoints(serverIds: string[]): Promise<McpEndpoint[]>;

  /** Connections. */
  addConnection(connection: NewConnection, actor?: Actor): Promise<AddConnectionReply>;
  listConnections(): Promise<ConnectionRecord[]>;
  removeConnection(connectionId: string, actor?: Actor): Promise<boolean>;
  /** Returns these connections for the account's own sessions, without removed ones. */
  sealedConnections(connectionIds: string[]): Promise<SealedConnection[]>;
}
