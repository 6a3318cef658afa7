import { body, hmacPreset, shownFirst } from "./preset.ts";

// https://developers.line.biz/en/docs/messaging-api/verify-webhook-signature/; a redelivery keeps the
// webhookEventId: https://developers.line.biz/en/docs/messaging-api/receiving-messages/
export const line = hmacPreset({
  name: "LINE",
  docs: "https://developers.line.biz/en/docs/messaging-api/receiving-messages/",
  scheme: { header: "x-line-signature", encoding: "base64" },
  secret: shownFirst("Channel secret", "Of your channel, on the tab Basic settings."),
  place: "Open the channel in the Developers Console, Messaging API",
  note: "Verify the webhook URL and switch on “Use webhook”.",
  eventId: [body("events[0].webhookEventId")],
  split: "events",
  eventType: [body("events[0].type")],
  sample: {
    body: {
      events: [
        { type: "message", webhookEventId: "{{id}}", message: { type: "text", text: "Hello" } },
      ],
    },
  },
});
