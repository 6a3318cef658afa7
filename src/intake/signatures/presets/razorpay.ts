import { body, type HmacPreset, header, NO_TIME, OURS, PLAIN } from "./preset.ts";

// https://razorpay.com/docs/webhooks/validate-test/
export const razorpay: HmacPreset = {
  name: "Razorpay",
  about: "Payments, orders, refunds, subscriptions.",
  docs: "https://razorpay.com/docs/webhooks/",
  scheme: { ...PLAIN, header: "X-Razorpay-Signature" },
  secret: OURS,
  place: "Open Account & Settings, Webhooks, Add New Webhook",
  eventId: [header("x-razorpay-event-id")],
  eventType: [body("event")],
  replay: NO_TIME,
  sample: {
    headers: { "x-razorpay-event-id": "{{id}}" },
    body: {
      event: "payment.captured",
      payload: { payment: { entity: { id: "pay_1", amount: 50_000, currency: "INR" } } },
    },
  },
};
