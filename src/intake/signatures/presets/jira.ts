import { body, header, hmacPreset } from "./preset.ts";

// https://developer.atlassian.com/cloud/jira/platform/webhooks/#verify-the-authenticity: a retry has the
// X-Atlassian-Webhook-Identifier of the first.
export const jira = hmacPreset({
  name: "Jira",
  docs: "https://developer.atlassian.com/cloud/jira/platform/webhooks/",
  scheme: { header: "X-Hub-Signature", prefix: "sha256=" },
  place: "Open System, WebHooks, Create a WebHook in the settings",
  eventId: [header("X-Atlassian-Webhook-Identifier")],
  eventType: [body("webhookEvent")],
  sample: {
    headers: { "X-Atlassian-Webhook-Identifier": "{{id}}" },
    body: {
      webhookEvent: "jira:issue_created",
      issue: { key: "SHOP-7", fields: { summary: "The export is empty" } },
    },
  },
});
