import type { EndpointConfig } from "../contract/webhooks/endpoint.ts";

/** A public key to fetch from an address that the sender documents. */
export interface KeyOrder {
  url: string;
  /** The path of the member of the JSON response that is the key; the whole response if left out. */
  member?: string;
  /** Whether the owner of an endpoint chose the address, and no preset. */
  isChosen?: true;
}

/** Asks senders at addresses that they document. */
export interface SenderPort {
  /**
   * Returns a public key, or null if the sender does not know it. `isRenewed` asks again, unless it was asked
   * a moment ago. Throws a `SenderUnavailableError`.
   */
  fetchKey(order: KeyOrder, isRenewed?: boolean): Promise<string | null>;
  /** Confirms a subscription. Returns whether it succeeded. */
  confirm(url: string): Promise<boolean>;
}

/** A sender could not be asked for its key: nothing is known of the signature. */
export class SenderUnavailableError extends Error {
  override readonly name = "SenderUnavailableError";
}

/** Counts the requests of an endpoint that are refused before their senders are authenticated. */
export interface UnverifiedPort {
  /** Counts a request. Returns the seconds until the next try if there is no room for it. */
  take(config: EndpointConfig, sourceIp: string | null): Promise<number | null>;
  /** Returns the number of requests turned away since the last call, for the inbox to count. */
  collect(endpointId: string): number;
}
