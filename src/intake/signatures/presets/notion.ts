import { EMPTY, type Handshake, hasOnly } from "./handshake.ts";
import { body, type HmacPreset, NO_TIME, PLAIN, shownLater } from "./preset.ts";

// The owner copies the token from the log: https://developers.notion.com/reference/webhooks
const verification: Handshake = {
  about: "POST of a verification_token: 200, and shown in the log",
  isAuthenticated: false,
  answer: ({ payload }) => (hasOnly(payload, "verification_token") ? EMPTY : null),
};

// https://developers.notion.com/reference/webhooks: the key is the verification_token.
export const notion: HmacPreset = {
  name: "Notion",
  about: "Pages, databases, comments.",
  docs: "https://developers.notion.com/reference/webhooks",
  scheme: { ...PLAIN, header: "X-Notion-Signature", prefix: "sha256=" },
  secret: shownLater("Verification token", "Notion sends it to the URL; the log shows it."),
  steps: [
    "In the settings of your integration open Webhooks, Create a subscription, and paste the URL.",
    "Notion sends a verification token, which the log shows. Paste it under Settings and into Notion’s form.",
  ],
  eventId: [body("id")],
  eventType: [body("type")],
  replay: NO_TIME,
  handshakes: [verification],
  limits: "Events name what changed, not its content.",
  sample: {
    body: { id: "{{id}}", type: "page.created", timestamp: "{{now}}", entity: { id: "p1" } },
  },
};
