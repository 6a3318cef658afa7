import { body, hmacPreset, SIGNED_URL, shownLater } from "./preset.ts";

// https://developer.squareup.com/docs/webhooks/step3validate: the notification URL, then the body.
export const square = hmacPreset({
  name: "Square",
  docs: "https://developer.squareup.com/docs/webhooks/step2subscribe",
  scheme: {
    header: "x-square-hmacsha256-signature",
    encoding: "base64",
    template: "{url}{body}",
  },
  secret: shownLater("Signature key", "Square shows it once it knows the URL."),
  place: "Open your application in the Developer Console, Webhooks, Add subscription",
  note: SIGNED_URL,
  eventId: [body("event_id")],
  eventType: [body("type")],
  sample: {
    body: { type: "payment.updated", event_id: "{{id}}", data: { type: "payment", id: "p1" } },
  },
});
