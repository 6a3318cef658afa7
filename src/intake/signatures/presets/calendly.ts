import { body, type HmacPreset, OURS, PLAIN, SIGNED_TIME } from "./preset.ts";

export const calendly: HmacPreset = {
  name: "Calendly",
  about: "Meetings that are booked or cancelled.",
  docs: "https://developer.calendly.com/api-docs/ZG9jOjM2MzE2MDM4-webhook-signatures",
  scheme: {
    ...PLAIN,
    header: "Calendly-Webhook-Signature",
    form: "pairs",
    prefix: "v1",
    template: "{timestamp}.{body}",
    timestampPair: "t",
  },
  secret: OURS,
  place: "Create a subscription by POST https://api.calendly.com/webhook_subscriptions",
  note: "The secret is its signing_key.",
  eventType: [body("event")],
  replay: SIGNED_TIME,
  limits: "Events have no id.",
  sample: {
    body: { event: "invitee.created", payload: { email: "jane@example.com", name: "Jane Doe" } },
  },
};
