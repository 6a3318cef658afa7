import { field, type Handshake, jsonAnswer } from "./handshake.ts";
import { body, keyPreset, shownFirst } from "./preset.ts";

const PING = 0;
const INTERACTION_PING = 1;

// https://discord.com/developers/docs/events/webhook-events#setting-up-an-endpoint: a PING of webhook
// events gets a 204, one of interactions, which has no event, a PONG.
const ping: Handshake = {
  about: "signed PING: answered with a PONG, or with 204",
  isAuthenticated: true,
  answer({ payload }) {
    const type = field(payload, "type");
    if (type === PING) return { status: 204, contentType: "application/json", body: "" };
    const isPing = type === INTERACTION_PING && field(payload, "event") === undefined;
    return isPing ? jsonAnswer({ type: INTERACTION_PING }) : null;
  },
};

// https://discord.com/developers/docs/events/webhook-events#setting-up-an-endpoint
export const discord = keyPreset({
  name: "Discord",
  docs: "https://discord.com/developers/docs/events/webhook-events",
  scheme: {
    algorithm: "ed25519",
    header: "X-Signature-Ed25519",
    encoding: "hex",
    template: "{timestamp}{body}",
    timestampHeader: "X-Signature-Timestamp",
  },
  secret: shownFirst("Public key", "Of your app, on the page General Information."),
  place: "Open your app in the Developer Portal, Webhooks",
  note: "Discord checks the URL at once; Prompthook answers. Switch events on.",
  eventType: [body("event.type")],
  handshakes: [ping],
  limits:
    "Events have no id. Interactions expect an answer in Discord’s own form, which this service does not give.",
  sample: {
    body: {
      type: 1,
      event: { type: "APPLICATION_AUTHORIZED", data: { user: { id: "1", username: "jane" } } },
    },
  },
});
