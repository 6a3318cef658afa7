import { body, type HmacPreset, header, NO_TIME, OURS, PLAIN } from "./preset.ts";

// https://developer.atlassian.com/cloud/jira/platform/webhooks/#verify-the-authenticity: a retry has the
// X-Atlassian-Webhook-Identifier of the first.
export const jira: HmacPreset = {
  name: "Jira",
  about: "Issues, comments, sprints.",
  docs: "https://developer.atlassian.com/cloud/jira/platform/webhooks/",
  scheme: { ...PLAIN, header: "X-Hub-Signature", prefix: "sha256=" },
  secret: OURS,
  place: "Open System, WebHooks, Create a WebHook in the settings",
  eventId: [header("X-Atlassian-Webhook-Identifier")],
  eventType: [body("webhookEvent")],
  replay: NO_TIME,
  sample: {
    headers: { "X-Atlassian-Webhook-Identifier": "{{id}}" },
    body: {
      webhookEvent: "jira:issue_created",
      issue: { key: "SHOP-7", fields: { summary: "The export is empty" } },
    },
  },
};
