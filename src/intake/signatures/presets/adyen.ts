import { body, hmacPreset, shownLater } from "./preset.ts";

const ITEM = "notificationItems.0.NotificationRequestItem";
const FIELDS = [
  "pspReference",
  "originalReference",
  "merchantAccountCode",
  "merchantReference",
  "amount.value",
  "amount.currency",
  "eventCode",
  "success",
];

// https://docs.adyen.com/development-resources/webhooks/secure-webhooks/verify-hmac-signatures: eight
// fields, joined by colons; the key is hex. A pspReference has several events.
export const adyen = hmacPreset({
  name: "Adyen",
  docs: "https://docs.adyen.com/development-resources/webhooks/",
  scheme: {
    in: "body",
    header: `${ITEM}.additionalData.hmacSignature`,
    encoding: "base64",
    template: FIELDS.map((path) => `{body.${ITEM}.${path}}`).join(":"),
    secretEncoding: "hex",
  },
  secret: shownLater("HMAC key", "Generated on the page of the webhook, in hex."),
  place: "Open Developers, Webhooks of the Customer Area and add a standard webhook in JSON",
  note: "Generate the HMAC key under Security.",
  eventType: [body(`${ITEM}.eventCode`)],
  limits:
    "The signature covers eight fields of the event, not the whole body. Events have no id: a repetition has the same pspReference and eventCode.",
  sample: {
    body: {
      live: "false",
      notificationItems: [
        { NotificationRequestItem: { eventCode: "AUTHORISATION", pspReference: "{{id}}" } },
      ],
    },
  },
});
