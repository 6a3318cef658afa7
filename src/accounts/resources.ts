import type { AccountApi, ListQuery } from "../contract/account.ts";
import { type Actor, SYSTEM } from "../contract/actor.ts";
import type { Audited, AuditQuery } from "../contract/audit.ts";
import type { DecisionQuery } from "../contract/decisions.ts";
import type { MemberRecord } from "../contract/keys.ts";
import { MCP_TOKEN_PREFIX } from "../contract/mcp.ts";
import type { ModelProviderRecord } from "../contract/models.ts";
import type { AccountOverview } from "../contract/operators.ts";
import { SHARE_PREFIX } from "../contract/shares.ts";
import { KnownTable } from "../durable/rows.ts";
import { StoredObject } from "../durable/stored-object.ts";
import { sha256Hex } from "../lib/encoding.ts";
import { did } from "./audit-log.ts";
import { type Components, recordOf, useOf } from "./components.ts";
import { pageOf } from "./decision-notices.ts";
import { emitConfigChange, watchQuota } from "./events.ts";
import { listExecutions } from "./listing.ts";
import type { TaskName } from "./tasks.ts";

/**
 * The resources of an account that its object owns: keys, members, MCP servers, connections and model
 * providers, and the grants of its quotas. A change and its entry in the audit log are one transaction.
 */
export abstract class AccountResources extends StoredObject<TaskName> {
  /** Null if the account does not exist. */
  protected components: Components | null = null;

  /** Returns the components. Throws if the account does not exist. */
  protected existing(): Components {
    if (this.components === null) throw new Error("This account does not exist.");
    return this.components;
  }

  async createKey(...[key, actor]: Parameters<AccountApi["createKey"]>) {
    return this.audited(
      actor,
      ({ apiKeys }, now) => apiKeys.add(key, now),
      (reply) => reply.kind === "created" && keyDid("created", key),
    );
  }

  async listKeys() {
    return this.existing().apiKeys.list();
  }

  async isValidKey(keyId: string) {
    return this.components?.apiKeys.isValid(keyId, Date.now()) ?? false;
  }

  async openShare(shareId: string) {
    // What a suspended account made is shown to nobody.
    if (this.components?.controls.status !== "active") return null;
    const { apiKeys } = this.components;
    return apiKeys.isValid(shareId, Date.now()) ? (apiKeys.find(shareId)?.name ?? null) : null;
  }

  async revokeByHash(...[keyHash, actor]: Parameters<AccountApi["revokeByHash"]>) {
    const keyId = this.components?.apiKeys.idOf(keyHash) ?? null;
    if (keyId !== null) await this.revokeKey(keyId, actor);
    return keyId;
  }

  async revokeKey(...[keyId, actor]: Parameters<AccountApi["revokeKey"]>) {
    const key = this.existing()
      .apiKeys.list()
      .find((each) => each.keyId === keyId);
    // A repeat changes nothing; a rotated key may still work.
    const works = key?.revokedAt === null || Date.parse(key?.revokedAt ?? "") > Date.now();
    return this.audited(
      actor,
      ({ apiKeys }, now) => apiKeys.revoke(keyId, now),
      () => key !== undefined && works && keyDid("revoked", key),
    );
  }

  async rotateKey(...[keyId, key, overlap, actor]: Parameters<AccountApi["rotateKey"]>) {
    const detail = { newKeyId: key.keyId, overlapSeconds: overlap };
    return this.audited(
      actor,
      ({ apiKeys }, now) => apiKeys.rotate(keyId, key, { now, until: now + overlap * 1_000 }),
      (reply) => reply.kind === "rotated" && did("key.rotated", keyId, reply.record.name, detail),
    );
  }

  async addMcpServer(...[server, actor]: Parameters<AccountApi["addMcpServer"]>) {
    return this.audited(
      actor,
      ({ mcpServers }, now) => mcpServers.add(server, now),
      ({ kind }) => kind === "added" && did("mcp_server.created", server.serverId, server.name),
    );
  }

  async listMcpServers() {
    return this.existing().mcpServers.list();
  }

  async removeMcpServer(...[serverId, actor]: Parameters<AccountApi["removeMcpServer"]>) {
    return this.#remove("mcpServers", serverId, actor);
  }

  async mcpEndpoints(serverIds: string[]) {
    return this.existing().mcpServers.among(serverIds);
  }

  async addConnection(...[connection, actor]: Parameters<AccountApi["addConnection"]>) {
    const { connectionId, name, rule } = connection;
    const detail = { hosts: rule.hosts.join(", ") };
    return this.audited(
      actor,
      ({ connections }, now) => connections.add(connection, now),
      ({ kind }) => kind === "added" && did("connection.created", connectionId, name, detail),
    );
  }

  async listConnections() {
    return this.existing().connections.list();
  }

  async removeConnection(...[connectionId, actor]: Parameters<AccountApi["removeConnection"]>) {
    return this.#remove("connections", connectionId, actor);
  }

  async sealedConnections(connectionIds: string[], names?: string[]) {
    const { connections } = this.existing();
    return names === undefined ? connections.among(connectionIds) : connections.called(names);
  }

  async addModelProvider(...[provider, actor]: Parameters<AccountApi["addModelProvider"]>) {
    return this.audited(
      actor,
      ({ modelProviders }, now) => modelProviders.add(provider, now),
      (reply) => reply.kind === "added" && providerDid("model_provider.created", reply.record),
    );
  }

  async changeModelProvider(
    ...[providerId, rule, sealedValue, actor]: Parameters<AccountApi["changeModelProvider"]>
  ) {
    return this.audited(
      actor,
      ({ modelProviders }, now) => modelProviders.change(providerId, rule, sealedValue, now),
      (record) => record !== null && providerDid("model_provider.updated", record),
    );
  }

  async removeModelProvider(...[providerId, actor]: Parameters<AccountApi["removeModelProvider"]>) {
    return this.#remove("modelProviders", providerId, actor);
  }

  #remove(kind: keyof typeof REMOVED, id: string, actor: Actor | undefined): boolean {
    const records = this.existing()[kind];
    const found = records.find(id);
    return this.audited(
      actor,
      () => records.delete(id),
      () => found !== null && did(REMOVED[kind], id, found.name),
    );
  }

  async models() {
    return this.existing().modelProviders.models();
  }

  async setDefaultModel(...[model, actor]: Parameters<AccountApi["setDefaultModel"]>) {
    const { accountId, name } = this.existing().ledger.record();
    this.audited(
      actor,
      ({ modelProviders }) => {
        modelProviders.defaultModel = model;
      },
      () => did("account.default_model_set", accountId, name, { model }),
    );
  }

  async sealedProviders(providerIds: string[]) {
    return this.existing().modelProviders.among(providerIds);
  }

  async listMembers() {
    return [...this.existing().members.all()];
  }

  async addMember(...[member, actor]: Parameters<AccountApi["addMember"]>) {
    return this.audited(
      actor,
      ({ members }, now) => members.add(member, now),
      (reply) => reply.kind === "added" && memberDid("member.created", reply.record),
    );
  }

  async changeMember(...[memberId, change, actor]: Parameters<AccountApi["changeMember"]>) {
    return this.audited(
      actor,
      ({ members }) => members.change(memberId, change),
      (reply) => reply.kind === "changed" && memberDid("member.updated", reply.record),
    );
  }

  async removeMember(...[memberId, actor]: Parameters<AccountApi["removeMember"]>) {
    return this.audited(
      actor,
      ({ members }) => members.remove(memberId),
      (reply) => reply.kind === "changed" && memberDid("member.deleted", reply.record),
    );
  }

  async signIn(...[email, tokenHash, method, requestId]: Parameters<AccountApi["signIn"]>) {
    const found = this.#memberWith(email);
    if (found === undefined) return null;
    const { memberId: id, name } = found;
    const actor: Actor = { by: { kind: "member", id, name: name ?? email }, requestId };
    const member = this.audited(
      actor,
      ({ members }, now) => members.signIn(email, tokenHash, now),
      () => did("member.signed_in", id, email, { method }),
    );
    return member && { account: this.existing().ledger.record().name, member };
  }

  async signOut(tokenHash: string): Promise<void> {
    this.components?.members.signOut(tokenHash);
  }

  async nameForMember(email: string): Promise<string | null> {
    const components = this.components;
    // An account that is being erased lets nobody in.
    const isClosed = components === null || components.controls.erasure !== null;
    return isClosed || !this.#memberWith(email) ? null : components.ledger.record().name;
  }

  #memberWith(email: string) {
    return this.components?.members.all().find((each) => each.email === email);
  }

  async executions(query: ListQuery) {
    const components = this.existing();
    const { accountId } = components.ledger.record();
    return await listExecutions(this.env, { accountId, ...components }, query);
  }

  async grantWebhooks(...[endpointId, report]: Parameters<AccountApi["grantWebhooks"]>) {
    const grants = this.components?.inboxGrants;
    // The endpoints of an erased account are erased with it.
    if (grants === undefined) return { granted: report.wanted, retryAfterSeconds: 0, full: null };
    const now = Date.now();
    const granted = grants.grant(endpointId, report, now);
    watchQuota(this.existing(), "webhookRequestsPerMinute", grants.granted(now), now);
    return granted;
  }

  async use() {
    return useOf(this.existing(), Date.now());
  }

  async executionIds() {
    return this.components?.outbox.executionIds() ?? [];
  }

  async overview(): Promise<AccountOverview | null> {
    if (this.components === null) return null;
    const { erasure } = this.components.controls;
    return { ...recordOf(this.components), ...(erasure !== null && { erasure }) };
  }

  async audit(query: AuditQuery) {
    return this.existing().audit.list(query);
  }

  async listDecisions(query: DecisionQuery) {
    return this.existing().decisions.list(query);
  }

  async knownDecision(decisionId: string) {
    return this.components?.decisions.find(decisionId) ?? null;
  }

  async sendDecisionCode(
    ...[decisionId, recipient, email, origin]: Parameters<AccountApi["sendDecisionCode"]>
  ) {
    const code = String(crypto.getRandomValues(new Uint32Array(1))[0] ?? 0)
      .slice(-6)
      .padStart(6, "0");
    const codeHash = await sha256Hex(code);
    const { decisions, messages } = this.existing();
    const now = Date.now();
    return this.ctx.storage.transactionSync(() => {
      const sent = decisions.addCode(decisionId, recipient, codeHash, now);
      if (sent === null) return false;
      const text = "Type it on the page that asked for it. It works for 10 minutes.";
      const notice = { title: `${code} is your code`, facts: [], text, links: [] };
      const key = `${decisionId}_code_${recipient}_${sent}`;
      const message = { key, type: "decision.code", at: now, data: {}, page: pageOf(decisionId) };
      messages.sendTo({ email }, { ...message, notice, origin });
      return true;
    });
  }

  async isDecisionCode(...[decisionId, recipient, code]: Parameters<AccountApi["isDecisionCode"]>) {
    const codeHash = await sha256Hex(code);
    return this.existing().decisions.isCode(decisionId, recipient, codeHash, Date.now());
  }

  /** Makes a change and notes it, or neither. `noted` returns false for a change that was refused. */
  protected audited<Reply>(
    actor: Actor = SYSTEM,
    change: (components: Components, now: number) => Reply,
    noted: (reply: Reply) => Audited | false,
  ): Reply {
    const components = this.existing();
    const now = Date.now();
    try {
      return this.ctx.storage.transactionSync(() => {
        const reply = change(components, now);
        const entry = noted(reply);
        if (entry === false) return reply;
        emitConfigChange(components, components.audit.add(actor, entry, now));
        if (entry.action.endsWith(".deleted")) components.alerts.drop(entry.resource.id, now);
        return reply;
      });
    } catch (error) {
      for (const each of Object.values(components)) if (each instanceof KnownTable) each.forget();
      throw error;
    }
  }
}

const REMOVED = {
  mcpServers: "mcp_server.deleted",
  connections: "connection.deleted",
  modelProviders: "model_provider.deleted",
} as const;

function keyDid(what: "created" | "revoked", { keyId, name }: { keyId: string; name: string }) {
  return did(`${kindOfKey(keyId)}.${what}`, keyId, name);
}

/** Returns what the audit log calls a key, by the beginning of its id. */
function kindOfKey(keyId: string) {
  if (keyId.startsWith(MCP_TOKEN_PREFIX)) return "mcp_token";
  return keyId.startsWith(SHARE_PREFIX) ? "share" : "key";
}

const providerDid = (
  action: "model_provider.created" | "model_provider.updated",
  { providerId, name, kind, baseUrl }: ModelProviderRecord,
) => did(action, providerId, name, { kind, baseUrl });

const memberDid = (
  action: "member.created" | "member.updated" | "member.deleted",
  { memberId, email, role }: MemberRecord,
) => did(action, memberId, email, { role });
