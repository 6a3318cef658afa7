import { posting } from "./handshake.ts";
import { header, hmacPreset } from "./preset.ts";

// https://developer.woocommerce.com/docs/best-practices/urls-and-routing/webhooks/
export const woocommerce = hmacPreset({
  name: "WooCommerce",
  docs: "https://woocommerce.com/document/webhooks/",
  scheme: { header: "X-WC-Webhook-Signature", encoding: "base64" },
  place: "Open WooCommerce, Settings, Advanced, Webhooks, Add webhook in WordPress",
  note: "Set the status to active.",
  eventId: [header("X-WC-Webhook-Delivery-ID")],
  eventType: [header("X-WC-Webhook-Topic")],
  // On saving, WC_Webhook::deliver_ping() sends a form without a signature.
  handshakes: [posting("POST of a form with webhook_id: 200", "webhook_id")],
  sample: {
    headers: { "X-WC-Webhook-Topic": "order.created", "X-WC-Webhook-Delivery-ID": "{{id}}" },
    body: { id: 727, status: "processing", total: "19.99", currency: "EUR" },
  },
});
