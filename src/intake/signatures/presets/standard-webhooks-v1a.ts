import { body, header, keyPreset, shownFirst } from "./preset.ts";

// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md: v1a is
// Ed25519.
export const standardWebhooksV1a = keyPreset({
  name: "Standard Webhooks, asymmetric",
  docs: "https://www.standardwebhooks.com",
  scheme: {
    algorithm: "ed25519",
    header: "webhook-signature",
    form: "list",
    prefix: "v1a,",
    encoding: "base64",
    template: "{id}.{timestamp}.{body}",
    timestampHeader: "webhook-timestamp",
    idHeader: "webhook-id",
  },
  secret: shownFirst("Public key", "whpk_…, which the sender publishes."),
  place: "Open the sender’s settings for webhooks and add an endpoint",
  eventId: [header("webhook-id")],
  eventType: [body("type")],
  sample: { body: { type: "user.created", data: { id: "user_1", email: "jane@example.com" } } },
});
