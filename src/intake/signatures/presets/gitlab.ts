import { header, tokenPreset } from "./preset.ts";

// https://docs.gitlab.com/user/project/integrations/webhooks/: a retry has the Idempotency-Key of the first.
export const gitlab = tokenPreset({
  name: "GitLab",
  docs: "https://docs.gitlab.com/user/project/integrations/webhooks/",
  token: { in: "header", name: "X-Gitlab-Token" },
  place: "Open Settings, Webhooks, Add new webhook of the project or group",
  note: "The token is the secret token.",
  eventId: [header("Idempotency-Key"), header("X-Gitlab-Event-UUID")],
  eventType: [header("X-Gitlab-Event")],
  limits:
    "The secret token is no signature. A GitLab with signing tokens signs as Standard Webhooks: use that preset then.",
  sample: {
    headers: { "X-Gitlab-Event": "Push Hook", "Idempotency-Key": "{{id}}" },
    body: { object_kind: "push", user_name: "Jane", project: { path_with_namespace: "octo/shop" } },
  },
});
