import { header, hmacPreset, shownLater } from "./preset.ts";

// https://shopify.dev/docs/apps/build/webhooks/verify-deliveries; the names without X- are those of
// Shopify's newer events. https://shopify.dev/docs/apps/build/webhooks/ignore-duplicates names
// X-Shopify-Event-Id: it stays the same over retries and over double subscriptions. Older and newer
// webhooks lack it; their Webhook-Id, which the official library calls the idempotency key, stays the
// same over retries. One action of a merchant can have webhooks of several topics, all with its event id.
export const shopify = hmacPreset({
  name: "Shopify",
  docs: "https://shopify.dev/docs/apps/build/webhooks/verify-deliveries",
  scheme: {
    header: "X-Shopify-Hmac-Sha256",
    encoding: "base64",
    aliases: [{ header: "Shopify-Hmac-Sha256", timestampHeader: null, idHeader: null }],
  },
  secret: shownLater("Signing key", "An app’s client secret, or the key below the webhooks."),
  place: "Open Settings, Notifications, Webhooks of the shop and create one in JSON",
  note: "The webhooks of an app are signed with the app’s client secret instead.",
  eventId: [
    header("X-Shopify-Event-Id"),
    header("X-Shopify-Webhook-Id"),
    header("Shopify-Webhook-Id"),
  ],
  eventScope: [header("X-Shopify-Topic"), header("Shopify-Topic")],
  eventType: [header("X-Shopify-Topic"), header("Shopify-Topic")],
  sample: {
    headers: { "X-Shopify-Topic": "orders/create", "X-Shopify-Event-Id": "{{id}}" },
    body: { id: 450_789_469, email: "jane@example.com", total_price: "19.99", currency: "EUR" },
  },
});
