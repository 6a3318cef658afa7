import { body, header, hmacPreset } from "./preset.ts";

// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
// https://docs.svix.com/receiving/verifying-payloads/how-manual: the same under svix-* names.
export const standardWebhooks = hmacPreset({
  name: "Standard Webhooks",
  docs: "https://www.standardwebhooks.com",
  scheme: {
    header: "webhook-signature",
    form: "list",
    prefix: "v1,",
    encoding: "base64",
    template: "{id}.{timestamp}.{body}",
    timestampHeader: "webhook-timestamp",
    idHeader: "webhook-id",
    aliases: [{ header: "svix-signature", timestampHeader: "svix-timestamp", idHeader: "svix-id" }],
    secretEncoding: "whsec",
  },
  secret: {
    by: "them",
    first: false,
    name: "Signing secret",
    hint: "whsec_…, which most senders show once they know the URL. Leave empty until then.",
    orOurs: true,
  },
  place: "Open the sender’s settings for webhooks and add an endpoint",
  note: "If the sender asks you for a secret, give it the one of this endpoint.",
  eventId: [header("webhook-id"), header("svix-id")],
  eventType: [body("type")],
  sample: { body: { type: "user.created", data: { id: "user_1", email: "jane@example.com" } } },
});
