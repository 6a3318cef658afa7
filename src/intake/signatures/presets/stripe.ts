import { body, hmacPreset, shownLater } from "./preset.ts";

// https://docs.stripe.com/webhooks/signature: `t=...,v1=...,v0=...`; only v1 counts, and there are
// two of them while a secret is rolled. The secret is used as it is shown, `whsec_` included.
// https://docs.stripe.com/webhooks#handle-duplicate-events
export const stripe = hmacPreset({
  name: "Stripe",
  docs: "https://docs.stripe.com/webhooks",
  scheme: {
    header: "Stripe-Signature",
    form: "pairs",
    prefix: "v1",
    template: "{timestamp}.{body}",
    timestampPair: "t",
  },
  secret: shownLater("Signing secret", "whsec_…, which Stripe shows once it knows the URL."),
  place: "Open Webhooks in Stripe’s Workbench and create a “Webhook endpoint”",
  eventId: [body("id")],
  eventType: [body("type")],
  sample: {
    body: {
      id: "evt_{{id}}",
      object: "event",
      type: "payment_intent.succeeded",
      data: { object: { id: "pi_1", object: "payment_intent", amount: 2_000, currency: "usd" } },
    },
  },
});
