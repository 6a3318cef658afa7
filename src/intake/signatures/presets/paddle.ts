import { body, hmacPreset, shownLater } from "./preset.ts";

// https://developer.paddle.com/webhooks/signature-verification: ts=…;h1=…
export const paddle = hmacPreset({
  name: "Paddle",
  docs: "https://developer.paddle.com/webhooks/overview",
  scheme: {
    header: "Paddle-Signature",
    form: "pairs",
    prefix: "h1",
    template: "{timestamp}:{body}",
    timestampPair: "ts",
  },
  secret: shownLater("Secret key", "pdl_ntfset_…, which Paddle shows once it knows the URL."),
  place: "Open Developer tools, Notifications, New destination",
  eventId: [body("event_id")],
  eventType: [body("event_type")],
  sample: {
    body: {
      event_id: "evt_{{id}}",
      event_type: "transaction.completed",
      data: { id: "txn_1", status: "completed" },
    },
  },
});
