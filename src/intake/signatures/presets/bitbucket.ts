import { type HmacPreset, header, NO_TIME, OURS, PLAIN } from "./preset.ts";

// https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/#Secure-webhooks
export const bitbucket: HmacPreset = {
  name: "Bitbucket",
  about: "Pushes, pull requests, issues of a repository.",
  docs: "https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/",
  scheme: { ...PLAIN, header: "X-Hub-Signature", prefix: "sha256=" },
  secret: OURS,
  place: "Open Repository settings, Webhooks, Add webhook",
  eventId: [header("X-Request-UUID")],
  eventType: [header("X-Event-Key")],
  replay: NO_TIME,
  sample: {
    headers: { "X-Event-Key": "repo:push", "X-Request-UUID": "{{id}}" },
    body: { repository: { full_name: "octo/shop" }, push: { changes: [] } },
  },
};
