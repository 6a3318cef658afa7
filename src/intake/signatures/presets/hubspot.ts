import { body, hmacPreset, SIGNED_URL, shownFirst } from "./preset.ts";

// https://developers.hubspot.com/docs/apps/legacy-apps/authentication/validating-requests, version 3: some
// escapes of the URL are decoded before it is signed.
export const hubspot = hmacPreset({
  name: "HubSpot",
  docs: "https://developers.hubspot.com/docs/api-reference/webhooks-webhooks-v3/guide",
  scheme: {
    header: "X-HubSpot-Signature-v3",
    encoding: "base64",
    template: "{method}{url}{body}{timestamp}",
    alternatives: ["{method}{decodedUrl}{body}{timestamp}"],
    timestampHeader: "X-HubSpot-Request-Timestamp",
  },
  secret: shownFirst("Client secret", "Of your app, on the page Auth."),
  place: "Open the app in your developer account, Webhooks",
  note: SIGNED_URL,
  eventId: [body("[0].eventId")],
  eventScope: [body("[0].subscriptionId"), body("[0].occurredAt")],
  split: "$",
  eventType: [body("[0].subscriptionType")],
  sample: { body: { eventId: 100, subscriptionType: "contact.creation", objectId: 123 } },
});
