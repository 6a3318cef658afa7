import { body, header, hmacPreset } from "./preset.ts";

// https://razorpay.com/docs/webhooks/validate-test/
export const razorpay = hmacPreset({
  name: "Razorpay",
  docs: "https://razorpay.com/docs/webhooks/",
  scheme: { header: "X-Razorpay-Signature" },
  place: "Open Account & Settings, Webhooks, Add New Webhook",
  eventId: [header("x-razorpay-event-id")],
  eventType: [body("event")],
  sample: {
    headers: { "x-razorpay-event-id": "{{id}}" },
    body: {
      event: "payment.captured",
      payload: { payment: { entity: { id: "pay_1", amount: 50_000, currency: "INR" } } },
    },
  },
});
