import type { AccountApi } from "../contract/account.ts";
import type { EndpointHealth } from "../contract/alerts.ts";
import type { OwedAddress } from "../contract/callbacks.ts";
import type { DestinationRecord } from "../contract/destinations.ts";
import type { NewSubscription } from "../contract/mcp-events.ts";
import { did } from "./audit-log.ts";
import { nextUsage, tellsChanges } from "./daily.ts";
import { AccountResources } from "./resources.ts";

/** The part of an account's object that owns its destinations and what is owed to them. */
export abstract class AccountDestinations extends AccountResources {
  async noteChange(): Promise<void> {
    const { changes, destinations } = this.components ?? {};
    changes?.note();
    if (destinations && tellsChanges(destinations)) this.wakeAt("changes", Date.now());
  }

  async addDestination(...[destination, actor]: Parameters<AccountApi["addDestination"]>) {
    this.#planUsage(destination.events);
    return this.audited(
      actor,
      ({ destinations }) => destinations.add(destination),
      (reply) => reply.kind === "added" && destinationDid("destination.created", reply.record),
    );
  }

  async listDestinations() {
    return this.existing().destinations.list();
  }

  async destinationAt(id: string) {
    const { destinations } = this.existing();
    return destinations.find(id) ?? destinations.at(id);
  }

  async changeDestination(
    ...[destinationId, change, actor, ifRevision]: Parameters<AccountApi["changeDestination"]>
  ) {
    // Nothing was planned at midnight while it was disabled.
    this.#planUsage(change.events ?? this.existing().destinations.find(destinationId)?.events);
    return this.audited(
      actor,
      ({ destinations, messages }, updatedAt) => {
        if (change.status === "disabled") messages.drop(destinationId);
        return destinations.revise(destinationId, { ...change, updatedAt }, ifRevision);
      },
      (reply) =>
        reply !== null && typeof reply === "object" && destinationDid("destination.updated", reply),
    );
  }

  async removeDestination(...[destinationId, actor]: Parameters<AccountApi["removeDestination"]>) {
    const found = this.existing().destinations.find(destinationId);
    return this.audited(
      actor,
      ({ destinations, messages }) => {
        messages.remove(destinationId);
        return destinations.delete(destinationId);
      },
      () => found !== null && destinationDid("destination.deleted", found),
    );
  }

  async subscribe(subscription: NewSubscription) {
    return this.existing().subscriptions.subscribe(subscription, Date.now());
  }

  async unsubscribe(subscriptionId: string) {
    this.existing().subscriptions.remove(subscriptionId);
  }

  async hasSubscription(keyId: string, url: string) {
    return this.existing().subscriptions.has(keyId, url, Date.now());
  }

  async beginEvent(...attempt: Parameters<AccountApi["beginEvent"]>) {
    return (await this.components?.subscriptions.begin(...attempt)) ?? null;
  }

  async endEvent(...ended: Parameters<AccountApi["endEvent"]>) {
    this.components?.subscriptions.end(...ended);
  }

  async sendTo(...[recipient, message]: Parameters<AccountApi["sendTo"]>) {
    const { messages } = this.existing();
    return this.ctx.storage.transactionSync(() => messages.sendTo(recipient, message));
  }

  async deliveriesTo(...[destinationId, query]: Parameters<AccountApi["deliveriesTo"]>) {
    const { destinations, messages } = this.existing();
    return destinations.find(destinationId) && messages.list(destinationId, query);
  }

  async redeliverTo(address: OwedAddress) {
    const { destinations, messages } = this.existing();
    return destinations.find(address.destinationId) && messages.redeliver(address);
  }

  async alerts() {
    return this.existing().alerts.list(Date.now());
  }

  async noteEndpoint(health: EndpointHealth) {
    const alerts = this.components?.alerts;
    const { state, endpointId: id, name } = health;
    const now = Date.now();
    if (state === "recovered") {
      alerts?.clear("endpoint.failing", id, now);
      return;
    }
    const { count, requests, failed, causes } = health;
    const resource = { kind: "endpoint", id, name } as const;
    const data = { endpointId: id, requests, failed, causes };
    const page = `/dashboard/webhooks/${id}`;
    alerts?.raise({ type: "endpoint.failing", resource, data, page, count }, now);
  }

  async beginDelivery(...[address, ...attempt]: Parameters<AccountApi["beginDelivery"]>) {
    return this.components?.messages.begin(address, ...attempt) ?? null;
  }

  async endDelivery(...[address, ...ended]: Parameters<AccountApi["endDelivery"]>) {
    this.components?.messages.end(address, ...ended);
  }

  /** Sees to it that the usage of this day is told when it is over, if that is asked for. */
  #planUsage(events: readonly string[] = []): void {
    if (events.includes("usage.daily")) this.wakeAt("usage", nextUsage(Date.now()));
  }
}

type ShownInAudit = Pick<DestinationRecord, "destinationId" | "name" | "status" | "revision">;
const destinationDid = (
  action: "destination.created" | "destination.updated" | "destination.deleted",
  { destinationId, name, status, revision }: ShownInAudit,
) => did(action, destinationId, name, { status, revision });
