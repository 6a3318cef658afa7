import { header, hmacPreset } from "./preset.ts";

// https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
// https://docs.github.com/en/webhooks/using-webhooks/best-practices-for-using-webhooks: a redelivery
// has the X-GitHub-Delivery of the first.
export const github = hmacPreset({
  name: "GitHub",
  docs: "https://docs.github.com/en/webhooks/using-webhooks/creating-webhooks",
  scheme: { header: "X-Hub-Signature-256", prefix: "sha256=" },
  secret: { by: "us", hint: "Leave empty to generate one, then paste it into GitHub." },
  place: "Open Settings, Webhooks, Add webhook of the repository or organisation",
  note: "Choose application/json as the content type. GitHub sends a ping at once.",
  eventId: [header("X-GitHub-Delivery")],
  eventType: [header("X-GitHub-Event")],
  sample: {
    headers: { "X-GitHub-Event": "issues", "X-GitHub-Delivery": "{{id}}" },
    body: {
      action: "opened",
      issue: {
        number: 7,
        title: "The export is empty",
        html_url: "https://github.com/octo/shop/issues/7",
        user: { login: "octocat" },
      },
      repository: { full_name: "octo/shop", html_url: "https://github.com/octo/shop" },
    },
  },
});
