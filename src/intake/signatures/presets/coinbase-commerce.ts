import { body, type HmacPreset, NO_TIME, PLAIN, shownLater } from "./preset.ts";

// https://docs.cloud.coinbase.com/commerce/docs/webhooks-security
export const coinbaseCommerce: HmacPreset = {
  name: "Coinbase Commerce",
  about: "Charges that are created, pending, confirmed or failed.",
  docs: "https://docs.cdp.coinbase.com/commerce/api-arcitecture/webhooks-overview",
  scheme: { ...PLAIN, header: "X-CC-Webhook-Signature" },
  secret: shownLater("Shared secret", "In the settings of Coinbase Commerce under Notifications."),
  place: "Open Settings, Notifications, Add an endpoint",
  eventId: [body("event.id")],
  eventType: [body("event.type")],
  replay: NO_TIME,
  sample: {
    body: { event: { id: "{{id}}", type: "charge:confirmed", data: { code: "XA6G6ZFR" } } },
  },
};
