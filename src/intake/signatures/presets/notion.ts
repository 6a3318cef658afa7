import { posting } from "./handshake.ts";
import { body, hmacPreset, shownLater } from "./preset.ts";

// https://developers.notion.com/reference/webhooks: the key is the verification_token, which the owner copies
// from the log.
export const notion = hmacPreset({
  name: "Notion",
  docs: "https://developers.notion.com/reference/webhooks",
  scheme: { header: "X-Notion-Signature", prefix: "sha256=" },
  secret: shownLater("Verification token", "Notion sends it to the URL; the log shows it."),
  place: "Open Webhooks, Create a subscription in the settings of your integration",
  note: "The log shows the verification token that Notion sends. Paste it into Notion’s form as well.",
  eventId: [body("id")],
  eventType: [body("type")],
  handshakes: [
    posting("POST of a verification_token: 200, and shown in the log", "verification_token"),
  ],
  limits: "Events name what changed, not its content.",
  sample: {
    body: { id: "{{id}}", type: "page.created", timestamp: "{{now}}", entity: { id: "p1" } },
  },
});
