/** A request as a sender sends it, with what an endpoint knows of the sender. */
export interface Sent {
  /** The secret, the token, or `user:password`. */
  secret?: string;
  publicKey?: string;
  /** Another public key of the same kind. */
  otherKey?: string;
  audience?: string;
  /** The key that the sender's address returns. */
  fetched?: string;
  /** The time of sending in epoch seconds. */
  at?: number;
  url?: string;
  headers: Record<string, string>;
  body: string;
  /** Changes what the signature covers; null if it covers nothing of the body. Adds a space by default. */
  tampered?: ((body: string) => string) | null;
  eventId?: string | null;
  eventType?: string | null;
}
