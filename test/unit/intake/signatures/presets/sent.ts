import type { SenderName } from "../../../../../src/contract/webhooks/signature.ts";
import { endpointWith } from "../../../../support/hook-request.ts";
import { authOfPreset } from "../../../../support/preset-auth.ts";
import { admit, inboundRequest, RECEIVED_AT } from "../../../../support/signed-request.ts";

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
  /** The event's id, null where the preset names no place of it, and its type. */
  event?: [id: string | null, type: string | null];
}

/** A request that a sender's documentation or code shows, with the place where it does. */
export interface Published extends Sent {
  preset: SenderName;
  source: string;
}

/** Returns the verdict of an endpoint with this preset on a request that arrives `late` seconds after it was sent. */
export async function verdictOf(name: SenderName, sent: Sent, late = 0) {
  const { headers, body, url = URL_OF_ENDPOINT, secret = "", publicKey, audience } = sent;
  const opened = { current: secret, previous: null };
  const auth = authOfPreset(name, { publicKey, audience });
  const endpoint = endpointWith({ auth }, { token: opened, hmac: opened });
  const json = { "content-type": "application/json", ...headers };
  const request = inboundRequest({ url, headers: json, body });
  const now = ((sent.at ?? RECEIVED_AT / 1_000) + late) * 1_000;
  const sender = { fetchKey: async () => sent.fetched ?? null, confirm: async () => true };
  return (await admit(endpoint, request, now, { minTlsVersion: "1.3", sender })).verdict;
}

const URL_OF_ENDPOINT = "https://hooks.example/hooks/ep_1";
