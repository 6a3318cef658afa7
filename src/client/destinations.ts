import type { AlertRecord } from "../contract/alerts.ts";
import type { DeliveryRecord, DestinationRecord } from "../contract/destinations.ts";
import type { CreateDestinationBody, UpdateDestinationBody } from "./bodies.ts";
import type { CallOptions, Page, PageQuery } from "./paging.ts";
import { List, Records } from "./resource.ts";
import type { Transport } from "./transport.ts";

/** Where the account's events go. */
export class Destinations extends Records<
  "destinations",
  DestinationRecord,
  CreateDestinationBody,
  UpdateDestinationBody
> {
  constructor(transport: Transport) {
    super(transport, "/destinations", "destinations");
  }

  enable(destinationId: string, options: CallOptions = {}): Promise<DestinationRecord> {
    return this.#post(destinationId, "/enable", options);
  }

  disable(destinationId: string, options: CallOptions = {}): Promise<DestinationRecord> {
    return this.#post(destinationId, "/disable", options);
  }

  /** Sends a test message. */
  ping(destinationId: string, options: CallOptions = {}): Promise<DeliveryRecord> {
    return this.#post(destinationId, "/ping", options);
  }

  /** Returns a page of what was sent, newest first. */
  deliveries(
    destinationId: string,
    query: PageQuery = {},
    { signal }: CallOptions = {},
  ): Promise<Page<"deliveries", DeliveryRecord>> {
    const path = this.at(destinationId, "/deliveries");
    return this.transport.json({ method: "GET", path, query: { ...query }, signal });
  }

  /** Delivers a message once more, under the same `webhook-id`. */
  redeliver(
    destinationId: string,
    deliveryId: string,
    options: CallOptions = {},
  ): Promise<DeliveryRecord> {
    const rest = `/deliveries/${encodeURIComponent(deliveryId)}/redeliver`;
    return this.#post(destinationId, rest, options);
  }

  #post<Reply>(destinationId: string, rest: string, { signal }: CallOptions): Promise<Reply> {
    return this.transport.json({ method: "POST", path: this.at(destinationId, rest), signal });
  }
}

/** What is wrong in the account now. */
export class Alerts extends List<"alerts", AlertRecord> {
  constructor(transport: Transport) {
    super(transport, "/alerts", "alerts");
  }
}
