import { body, tokenPreset } from "./preset.ts";

// https://developers.figma.com/docs/rest-api/webhooks-security/: the passcode of the webhook in the body
export const figma = tokenPreset({
  name: "Figma",
  docs: "https://developers.figma.com/docs/rest-api/webhooks/",
  token: { in: "body", name: "passcode" },
  place: "Create a webhook by POST https://api.figma.com/v2/webhooks",
  note: "The token is its passcode.",
  eventType: [body("event_type")],
  limits:
    "Requests are not signed: the passcode in the body is all that proves the sender. Events have no id.",
  sample: {
    body: { event_type: "FILE_UPDATE", file_key: "k1", file_name: "Shop", timestamp: "{{now}}" },
  },
});
