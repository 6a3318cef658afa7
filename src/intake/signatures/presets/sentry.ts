import { header, hmacPreset, shownLater } from "./preset.ts";

export const sentry = hmacPreset({
  name: "Sentry",
  docs: "https://docs.sentry.io/organization/integrations/integration-platform/webhooks/",
  scheme: { header: "Sentry-Hook-Signature" },
  secret: shownLater("Client secret", "Of the integration, which Sentry shows once it is saved."),
  place: "Open Settings, Custom Integrations and create an internal integration",
  eventId: [header("Request-ID")],
  eventType: [header("Sentry-Hook-Resource")],
  sample: {
    headers: { "Sentry-Hook-Resource": "issue", "Request-ID": "{{id}}" },
    body: { action: "created", data: { issue: { id: "1", title: "TypeError" } } },
  },
});
