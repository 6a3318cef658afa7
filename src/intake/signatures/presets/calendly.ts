import { body, hmacPreset } from "./preset.ts";

export const calendly = hmacPreset({
  name: "Calendly",
  docs: "https://developer.calendly.com/api-docs/ZG9jOjM2MzE2MDM4-webhook-signatures",
  scheme: {
    header: "Calendly-Webhook-Signature",
    form: "pairs",
    prefix: "v1",
    template: "{timestamp}.{body}",
    timestampPair: "t",
  },
  place: "Create a subscription by POST https://api.calendly.com/webhook_subscriptions",
  note: "The secret is its signing_key.",
  eventType: [body("event")],
  limits: "Events have no id.",
  sample: {
    body: { event: "invitee.created", payload: { email: "jane@example.com", name: "Jane Doe" } },
  },
});
