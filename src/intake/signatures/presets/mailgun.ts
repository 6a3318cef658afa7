import { body, HOUR, hmacPreset, shownFirst } from "./preset.ts";

// https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/securing-webhooks: the time and a
// random token, both in the body. Retries, over 8 hours, repeat them.
export const mailgun = hmacPreset({
  name: "Mailgun",
  docs: "https://documentation.mailgun.com/docs/mailgun/user-manual/webhooks/webhooks",
  scheme: {
    in: "body",
    header: "signature.signature",
    template: "{timestamp}{id}",
    timestampHeader: "signature.timestamp",
    idHeader: "signature.token",
  },
  secret: shownFirst("HTTP webhook signing key", "In Mailgun’s control panel under API Security."),
  place: "Open Send, Sending, Webhooks, Add webhook in the control panel",
  eventId: [body("event-data.id")],
  eventType: [body("event-data.event")],
  replay: { time: "signed", toleranceSeconds: 9 * HOUR },
  limits:
    "The signature covers the time and a token, not the event: who sees a request can send another event for as long as the time is accepted.",
  sample: {
    body: {
      signature: {},
      "event-data": { id: "{{id}}", event: "delivered", recipient: "jane@example.com" },
    },
  },
});
