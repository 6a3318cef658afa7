import { body, keyPreset, shownLater } from "./preset.ts";

// https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/getting-started-event-webhook-security-features
export const sendgrid = keyPreset({
  name: "SendGrid",
  docs: "https://www.twilio.com/docs/sendgrid/for-developers/tracking-events/event",
  scheme: {
    algorithm: "ecdsa-p256-sha256",
    header: "X-Twilio-Email-Event-Webhook-Signature",
    encoding: "base64",
    template: "{timestamp}{body}",
    timestampHeader: "X-Twilio-Email-Event-Webhook-Timestamp",
  },
  secret: shownLater("Verification key", "The public key, once signing is on."),
  place: "Open Settings, Mail Settings, Event Webhooks",
  note: "Switch “Signature Verification” on: the key belongs in auth.signature.publicKey.",
  eventId: [body("[0].sg_event_id")],
  split: "$",
  eventType: [body("[0].event")],
  sample: { body: { email: "jane@example.com", event: "delivered", sg_event_id: "{{id}}" } },
});
