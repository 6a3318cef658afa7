import { body, NO_TIME, OURS, type TokenPreset } from "./preset.ts";

// https://developers.figma.com/docs/rest-api/webhooks-security/: the passcode of the webhook in the body
export const figma: TokenPreset = {
  name: "Figma",
  about: "Files, comments, library publications.",
  docs: "https://developers.figma.com/docs/rest-api/webhooks/",
  token: { in: "body", name: "passcode" },
  secret: OURS,
  place: "Create a webhook by POST https://api.figma.com/v2/webhooks",
  note: "The token is its passcode.",
  eventType: [body("event_type")],
  replay: NO_TIME,
  limits:
    "Requests are not signed: the passcode in the body is all that proves the sender. Events have no id.",
  sample: {
    body: { event_type: "FILE_UPDATE", file_key: "k1", file_name: "Shop", timestamp: "{{now}}" },
  },
};
