import { decodeProtectedHeader } from "jose";
import { body, type KeyPreset, SIGNED_TIME, shownFirst } from "./preset.ts";

const CREDENTIALS = /^([0-9a-zA-Z]{1,64}):(?:(sandbox|production):)?([0-9a-zA-Z]{1,64})$/;

/** Returns the `kid` of a token, which is not verified yet; null if it is not a UUID. */
function keyId(token: string): string | null {
  try {
    const { kid } = decodeProtectedHeader(token);
    return kid !== undefined && /^[0-9a-f-]{36}$/i.test(kid) ? kid : null;
  } catch {
    return null;
  }
}

// https://plaid.com/docs/api/webhooks/webhook-verification/: ES256; the claim is the hash of the body.
export const plaid: KeyPreset = {
  name: "Plaid",
  about: "Items, transactions, transfers.",
  docs: "https://plaid.com/docs/api/webhooks/",
  scheme: {
    algorithm: "jwt",
    header: "Plaid-Verification",
    prefix: "",
    bodyClaim: "request_body_sha256",
    maxAgeSeconds: 300,
  },
  keyPlace: "the kid of its token, and auth.signature.secret opens Plaid’s API as client_id:secret",
  keyOrder({ headers, secret }) {
    const [, clientId, environment, key] = CREDENTIALS.exec(secret ?? "") ?? [];
    const kid = keyId(headers.get("Plaid-Verification") ?? "");
    if (clientId === undefined || key === undefined || kid === null) return null;
    return {
      url: `https://${environment ?? "production"}.plaid.com/webhook_verification_key/get`,
      body: { client_id: clientId, secret: key, key_id: kid },
      member: "key",
    };
  },
  secret: shownFirst("Credentials", "client_id:secret, or client_id:sandbox:secret."),
  place: "Name the URL as webhook when you create a Link token",
  note: "Set auth.signature.secret to client_id:secret: the endpoint asks Plaid’s API for the keys.",
  eventType: [body("webhook_code")],
  replay: SIGNED_TIME,
  limits: "Events have no id.",
  sample: {
    body: { webhook_type: "TRANSACTIONS", webhook_code: "SYNC_UPDATES_AVAILABLE", item_id: "i1" },
  },
};
