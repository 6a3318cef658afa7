import { body, keyPreset, shownFirst } from "./preset.ts";

/** The certificates of PayPal and of its sandbox. */
const CERTIFICATE =
  /^https:\/\/api(?:\.sandbox)?\.paypal\.com\/v1\/notifications\/certs\/[\w-]{1,100}$/;

// https://developer.paypal.com/api/rest/webhooks/rest/#link-selfverificationmethod: id, time, id of the
// webhook and CRC-32 of the body.
export const paypal = keyPreset({
  name: "PayPal",
  docs: "https://developer.paypal.com/api/rest/webhooks/rest/",
  scheme: {
    algorithm: "rsa-sha256",
    header: "PAYPAL-TRANSMISSION-SIG",
    encoding: "base64",
    template: "{id}|{timestamp}|{audience}|{crc32}",
    timestampHeader: "PAYPAL-TRANSMISSION-TIME",
    idHeader: "PAYPAL-TRANSMISSION-ID",
  },
  audience: { name: "id of the webhook", paths: [], isRequired: true },
  keyOrder({ headers }) {
    const url = headers.get("PAYPAL-CERT-URL") ?? "";
    return CERTIFICATE.test(url) ? { url } : null;
  },
  secret: shownFirst("Webhook id", "Of the webhook. Set auth.signature.audience to it."),
  place: "Open Apps & Credentials, your app, Add Webhook in the Developer Dashboard",
  note: "Set auth.signature.audience to the id of the webhook.",
  eventId: [body("id")],
  eventType: [body("event_type")],
  limits:
    "PayPal signs a CRC-32 of the body, not a hash: it proves who sent the event, but hardly its content. The simulator of PayPal signs for no webhook: send an event of the sandbox instead.",
  sample: {
    body: {
      id: "WH-{{id}}",
      event_type: "PAYMENT.CAPTURE.COMPLETED",
      resource: { id: "1", amount: { currency_code: "EUR", value: "19.99" } },
    },
  },
});
