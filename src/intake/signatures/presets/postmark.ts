import { body, CREDENTIALS, tokenPreset } from "./preset.ts";

// https://postmarkapp.com/developer/webhooks/webhooks-overview#protecting-your-webhook
export const postmark = tokenPreset({
  name: "Postmark",
  docs: "https://postmarkapp.com/developer/webhooks/webhooks-overview",
  token: { in: "basic" },
  secret: CREDENTIALS,
  place: "Open Webhooks, Add webhook in the server’s message stream",
  note: "For inbound e-mail put the credentials into the URL: https://user:password@…",
  eventType: [body("RecordType")],
  limits:
    "Requests are not signed: the password is all that proves the sender. Postmark publishes its addresses for an IP allowlist. Events have no id: MessageID is the e-mail’s.",
  sample: {
    body: { RecordType: "Delivery", MessageID: "883953f4", Recipient: "jane@example.com" },
  },
});
