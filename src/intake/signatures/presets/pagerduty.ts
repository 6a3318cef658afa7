import { body, hmacPreset, shownLater } from "./preset.ts";

// https://developer.pagerduty.com/docs/verifying-webhook-signatures
export const pagerduty = hmacPreset({
  name: "PagerDuty",
  docs: "https://developer.pagerduty.com/docs/webhooks-overview",
  scheme: { header: "X-PagerDuty-Signature", form: "pairs", prefix: "v1" },
  secret: shownLater("Signing secret", "Shown once, with the new subscription."),
  place: "Open Integrations, Generic Webhooks (v3), New Webhook",
  eventId: [body("event.id")],
  eventType: [body("event.event_type")],
  sample: {
    body: {
      event: {
        id: "{{id}}",
        event_type: "incident.triggered",
        data: { title: "The shop is down" },
      },
    },
  },
});
