import { body, hmacPreset, shownLater } from "./preset.ts";

// https://docs.recurly.com/recurly-subscriptions/docs/signature-verification: the time, then one signature
// for each valid key, separated by commas.
export const recurly = hmacPreset({
  name: "Recurly",
  docs: "https://docs.recurly.com/recurly-subscriptions/docs/webhooks",
  scheme: { header: "recurly-signature", form: "items", template: "{timestamp}.{body}" },
  secret: shownLater("Secret key", "Of the endpoint, on the page Webhook Endpoints."),
  place: "Open Integrations, Webhooks, Configure, New Endpoint",
  note: "Choose the format JSON: XML is not signed.",
  eventType: [body("event_type")],
  limits: "Notifications have no id of their own: id is the one of the object.",
  sample: { body: { id: "{{id}}", object_type: "subscription", event_type: "created" } },
});
