import { DurableObject } from "cloudflare:workers";
import type { AccountApi, ListQuery } from "../contract/account.ts";
import { type Actor, SYSTEM } from "../contract/actor.ts";
import type { Audited, AuditQuery } from "../contract/audit.ts";
import type { DecisionQuery } from "../contract/decisions.ts";
import { MCP_TOKEN_PREFIX } from "../contract/mcp-tokens.ts";
import type { MemberRecord } from "../contract/members.ts";
import type { ModelProviderRecord } from "../contract/model-providers.ts";
import type { AccountOverview } from "../contract/operators.ts";
import { sha256Hex } from "../lib/encoding.ts";
import type { Components } from "./components.ts";
import { pageOf } from "./decision-notices.ts";
import { emitConfigChange } from "./events.ts";
import { watchQuota } from "./levels.ts";
import { listExecutions } from "./listing.ts";
import { contentsOf, overviewOf, useOf } from "./views.ts";

/**
 * The resources of an account that its object owns: keys, members, MCP servers, connections and model
 * providers, and the grants of its quotas. A change and its entry in the audit log are one transaction.
 */
export abstract class AccountResources extends DurableObject<CloudflareEnv> {
  /** Returns the components; null if the account does not exist. */
  protected abstract known(): Components | null;
  /** Returns the components. Throws if the account does not exist. */
  protected abstract existing(): Components;

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
    return this.known()?.apiKeys.isValid(keyId, Date.now()) ?? false;
  }

  async revokeByHash(...[keyHash, actor]: Parameters<AccountApi["revokeByHash"]>) {
    const keyId = this.existing().apiKeys.idOf(keyHash);
    if (keyId !== null) await this.revokeKey(keyId, actor);
    return keyId;
  }

  async revokeKey(...[keyId, actor]: Parameters<AccountApi["revokeKey"]>) {
    const key = this.existing()
      .apiKeys.list()
      .find((each) => each.keyId === keyId);
    return this.audited(
      actor,
      ({ apiKeys }, now) => apiKeys.revoke(keyId, now),
      // A repeat changes nothing; a rotated key may still work.
      () =>
        key !== undefined &&
        (key.revokedAt === null || Date.parse(key.revokedAt) > Date.now()) &&
        keyDid("revoked", key),
    );
  }

  async rotateKey(...[keyId, key, overlap, actor]: Parameters<AccountApi["rotateKey"]>) {
    return this.audited(
      actor,
      ({ apiKeys }, now) => apiKeys.rotate(keyId, key, { now, until: now + overlap * 1_000 }),
      (reply) =>
        reply.kind === "rotated" && {
          ...keyDid("rotated", { keyId, name: reply.record.name }),
          detail: { newKeyId: key.keyId, overlapSeconds: overlap },
        },
    );
  }

  async addMcpServer(...[server, actor]: Parameters<AccountApi["addMcpServer"]>) {
    return this.audited(
      actor,
      ({ mcpServers }, now) => mcpServers.add(server, now),
      ({ kind }) =>
        kind === "added" && { action: "mcp_server.created", resource: serverAs(server) },
    );
  }

  async listMcpServers() {
    return this.existing().mcpServers.list();
  }

  async removeMcpServer(...[serverId, actor]: Parameters<AccountApi["removeMcpServer"]>) {
    const server = this.existing()
      .mcpServers.list()
      .find((each) => each.serverId === serverId);
    return this.audited(
      actor,
      ({ mcpServers }) => mcpServers.remove(serverId),
      () => server !== undefined && { action: "mcp_server.deleted", resource: serverAs(server) },
    );
  }

  async mcpEndpoints(serverIds: string[]) {
    return this.existing().mcpServers.endpoints(serverIds);
  }

  async addConnection(...[connection, actor]: Parameters<AccountApi["addConnection"]>) {
    return this.audited(
      actor,
      ({ connections }, now) => connections.add(connection, now),
      ({ kind }) =>
        kind === "added" && {
          action: "connection.created",
          resource: connectionAs(connection),
          detail: { hosts: connection.rule.hosts.join(", ") },
        },
    );
  }

  async listConnections() {
    return this.existing().connections.list();
  }

  async removeConnection(...[connectionId, actor]: Parameters<AccountApi["removeConnection"]>) {
    const { connections } = this.existing();
    const found = connections.list().find((each) => each.connectionId === connectionId);
    return this.audited(
      actor,
      () => connections.records.remove(connectionId),
      () => found !== undefined && { action: "connection.deleted", resource: connectionAs(found) },
    );
  }

  async sealedConnections(connectionIds: string[]) {
    return this.existing().connections.sealed(connectionIds);
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
      ({ modelProviders }) => modelProviders.change(providerId, rule, sealedValue),
      (record) => record !== null && providerDid("model_provider.updated", record),
    );
  }

  async removeModelProvider(...[providerId, actor]: Parameters<AccountApi["removeModelProvider"]>) {
    const { modelProviders } = this.existing();
    const found = modelProviders.list().find((each) => each.providerId === providerId);
    return this.audited(
      actor,
      () => modelProviders.remove(providerId),
      () => found !== undefined && providerDid("model_provider.deleted", found),
    );
  }

  async models() {
    return this.existing().modelProviders.models();
  }

  async setDefaultModel(...[model, actor]: Parameters<AccountApi["setDefaultModel"]>) {
    const { accountId: id, name } = this.existing().ledger.record();
    this.audited(
      actor,
      ({ modelProviders }) => {
        modelProviders.defaultModel = model;
      },
      () => ({
        action: "account.default_model_set",
        resource: { kind: "account", id, name },
        detail: { model },
      }),
    );
  }

  async sealedProviders(providerIds: string[]) {
    return this.existing().modelProviders.sealed(providerIds);
  }

  async listMembers() {
    return this.existing().members.list();
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
    const found = this.known()
      ?.members.list()
      .find((each) => each.email === email);
    if (found === undefined) return null;
    const { memberId: id, name } = found;
    const actor: Actor = { by: { kind: "member", id, name: name ?? email }, requestId };
    const member = this.audited(
      actor,
      ({ members }, now) => members.signIn(email, tokenHash, now),
      () => ({ ...memberDid("member.signed_in", found), detail: { method } }),
    );
    return member && { account: this.existing().ledger.record().name, member };
  }

  async signOut(tokenHash: string): Promise<void> {
    this.existing().members.signOut(tokenHash);
  }

  async nameForMember(email: string): Promise<string | null> {
    const components = this.known();
    const isMember = components?.members.list().some((member) => member.email === email) ?? false;
    // An account that is being erased lets nobody in.
    if (components === null || !isMember || components.controls.erasure !== null) return null;
    return components.ledger.record().name;
  }

  async executions(query: ListQuery) {
    const components = this.existing();
    const { accountId } = components.ledger.record();
    return await listExecutions(this.env, { accountId, ...components }, query);
  }

  async grantWebhooks(...[endpointId, report]: Parameters<AccountApi["grantWebhooks"]>) {
    const grants = this.known()?.inboxGrants;
    // The endpoints of an erased account are erased with it.
    if (grants === undefined) return { granted: report.wanted, retryAfterSeconds: 0, full: null };
    const now = Date.now();
    const granted = grants.grant(endpointId, report, now);
    const used = grants.granted(now);
    watchQuota(this.existing(), "webhookRequestsPerMinute", used, now);
    return granted;
  }

  async takeBrowserVisit(visitId: string, until: number) {
    return this.existing().browserVisits.take(visitId, until, Date.now());
  }

  async releaseBrowserVisit(visitId: string) {
    this.known()?.browserVisits.release(visitId);
  }

  async use() {
    return useOf(this.existing(), Date.now());
  }

  async contents() {
    const components = this.known();
    return components && contentsOf(components);
  }

  async executionIds() {
    return this.known()?.outbox.executionIds() ?? [];
  }

  async overview(): Promise<AccountOverview | null> {
    const components = this.known();
    return components && overviewOf(components);
  }

  async audit(query: AuditQuery) {
    return this.existing().audit.list(query);
  }

  async listDecisions(query: DecisionQuery) {
    return this.existing().decisions.list(query);
  }

  async knownDecision(decisionId: string) {
    return this.known()?.decisions.find(decisionId) ?? null;
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
        if (entry !== false) emitConfigChange(components, components.audit.add(actor, entry, now));
        return reply;
      });
    } catch (error) {
      components.apiKeys.forget();
      components.members.forget();
      components.mcpServers.forget();
      components.destinations.forget();
      components.modelProviders.forget();
      throw error;
    }
  }
}

function keyDid(
  did: "created" | "rotated" | "revoked",
  { keyId, name }: { keyId: string; name: string },
): Audited {
  if (did !== "rotated" && keyId.startsWith(MCP_TOKEN_PREFIX)) {
    return { action: `mcp_token.${did}`, resource: { kind: "mcp_token", id: keyId, name } };
  }
  return { action: `key.${did}`, resource: { kind: "key", id: keyId, name } };
}

const serverAs = ({ serverId, name }: { serverId: string; name: string }) =>
  ({ kind: "mcp_server", id: serverId, name }) as const;

const connectionAs = ({ connectionId, name }: { connectionId: string; name: string }) =>
  ({ kind: "connection", id: connectionId, name }) as const;

const providerDid = (
  action: "model_provider.created" | "model_provider.updated" | "model_provider.deleted",
  { providerId, name, kind, baseUrl }: ModelProviderRecord,
): Audited => ({
  action,
  resource: { kind: "model_provider", id: providerId, name },
  detail: { kind, baseUrl },
});

const memberDid = (
  action: "member.created" | "member.updated" | "member.deleted" | "member.signed_in",
  { memberId, email, role }: MemberRecord,
): Audited => ({
  action,
  resource: { kind: "member", id: memberId, name: email },
  detail: { role },
});
