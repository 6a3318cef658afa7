import { body, type HmacPreset, PLAIN, SIGNED_TIME, SIGNED_URL, shownFirst } from "./preset.ts";

// https://developers.hubspot.com/docs/apps/legacy-apps/authentication/validating-requests, version 3: some
// escapes of the URL are decoded before it is signed.
export const hubspot: HmacPreset = {
  name: "HubSpot",
  about: "Contacts, companies, deals that change.",
  docs: "https://developers.hubspot.com/docs/api-reference/webhooks-webhooks-v3/guide",
  scheme: {
    ...PLAIN,
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
  replay: SIGNED_TIME,
  sample: { body: { eventId: 100, subscriptionType: "contact.creation", objectId: 123 } },
};
