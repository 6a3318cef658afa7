import { EMPTY, type Handshake, handshakeFlaw } from "./handshake.ts";
import { body, hmacPreset } from "./preset.ts";

const HOOK_SECRET = "X-Hook-Secret";

// https://developers.asana.com/docs/webhooks-guide#the-webhook-handshake
const choosing: Handshake = {
  about: "POST with X-Hook-Secret: repeated in the response, and stored as the secret, once",
  isAuthenticated: false,
  asks: ({ method, headers }) => method === "POST" && headers.has(HOOK_SECRET),
  answer({ headers, awaitsSecret }) {
    const secret = headers.get(HOOK_SECRET) ?? "";
    if (!/^[\x21-\x7e]{16,512}$/.test(secret)) {
      return handshakeFlaw(HOOK_SECRET, "The secret must be 16 to 512 visible ASCII characters.");
    }
    return awaitsSecret
      ? { ...EMPTY, headers: { [HOOK_SECRET]: secret }, adopt: secret }
      : handshakeFlaw(
          HOOK_SECRET,
          "The endpoint has a secret already. Create an endpoint for each webhook.",
        );
  },
};

// https://developers.asana.com/docs/webhooks-guide: X-Hook-Secret of the handshake is the key.
export const asana = hmacPreset({
  name: "Asana",
  docs: "https://developers.asana.com/docs/webhooks-guide",
  scheme: { header: "X-Hook-Signature" },
  secret: { by: "us", isReplaced: true, hint: "Leave empty: Asana chooses it in the handshake." },
  place: "Create a webhook by POST https://app.asana.com/api/1.0/webhooks",
  note: "Asana then calls the URL with X-Hook-Secret. The endpoint stores the secret, once.",
  eventType: [body("events[0].action")],
  handshakes: [choosing],
  limits: "Requests hold batches of events without an id, and name only what changed.",
  sample: {
    body: { events: [{ action: "changed", resource: { gid: "1337", resource_type: "task" } }] },
  },
});
