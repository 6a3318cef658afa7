import { body, header, hmacPreset, shownLater } from "./preset.ts";

// https://developer.zendesk.com/documentation/webhooks/verifying/
export const zendesk = hmacPreset({
  name: "Zendesk",
  docs: "https://developer.zendesk.com/documentation/webhooks/",
  scheme: {
    header: "X-Zendesk-Webhook-Signature",
    encoding: "base64",
    template: "{timestamp}{body}",
    timestampHeader: "X-Zendesk-Webhook-Signature-Timestamp",
  },
  secret: shownLater("Signing secret", "Of the webhook, which Zendesk shows once it is created."),
  place: "Open Apps and integrations, Webhooks, Create webhook in the Admin Center",
  eventId: [header("X-Zendesk-Webhook-Invocation-Id")],
  eventType: [body("type")],
  limits: "A webhook of a trigger or an automation has the body that you write there.",
  sample: {
    headers: { "X-Zendesk-Webhook-Invocation-Id": "{{id}}" },
    body: { type: "zen:event-type:ticket.created", detail: { subject: "The export is empty" } },
  },
});
