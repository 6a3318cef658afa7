import { field, type Handshake, jsonAnswer, repeated } from "./handshake.ts";
import { body, header, hmacPreset } from "./preset.ts";
import { standardWebhooks } from "./standard-webhooks.ts";

/** A signed challenge, which the receiver repeats before it gets events. */
const CHALLENGE: Handshake = {
  about: "`type: verification` with challenge: repeated",
  isAuthenticated: true,
  answer({ payload }) {
    const challenge = field(payload, "challenge");
    if (field(payload, "type") !== "verification" || repeated(challenge) === null) return null;
    return jsonAnswer({ challenge });
  },
};

// https://github.com/modelcontextprotocol/modelcontextprotocol/pull/3415, read in November 2026: events are
// delivered by Standard Webhooks, and `webhook-id` is the id of the event.
export const mcp = hmacPreset({
  name: "Model Context Protocol",
  docs: "https://modelcontextprotocol.io",
  scheme: standardWebhooks.scheme,
  secret: { by: "us", hint: "Set by the source of the endpoint." },
  note: "Set `source` of the endpoint: the service subscribes, and renews the subscription.",
  eventId: [body("eventId"), header("webhook-id")],
  eventType: [body("name")],
  handshakes: [CHALLENGE],
  sample: {
    body: {
      eventId: "{{id}}",
      name: "orders.created",
      timestamp: "2026-11-20T09:30:00.000Z",
      data: { order: { id: 1007, total: 13.5 } },
      cursor: "e42",
    },
  },
});
