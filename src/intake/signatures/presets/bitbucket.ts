import { header, hmacPreset } from "./preset.ts";

// https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/#Secure-webhooks
export const bitbucket = hmacPreset({
  name: "Bitbucket",
  docs: "https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/",
  scheme: { header: "X-Hub-Signature", prefix: "sha256=" },
  place: "Open Repository settings, Webhooks, Add webhook",
  eventId: [header("X-Request-UUID")],
  eventType: [header("X-Event-Key")],
  sample: {
    headers: { "X-Event-Key": "repo:push", "X-Request-UUID": "{{id}}" },
    body: { repository: { full_name: "octo/shop" }, push: { changes: [] } },
  },
});
