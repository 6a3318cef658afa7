import { HEAD } from "./handshake.ts";
import { type HmacPreset, NO_TIME, PLAIN, SIGNED_URL, shownLater } from "./preset.ts";

// https://mailchimp.com/developer/transactional/guides/track-respond-activity-webhooks/#authenticating-webhook-requests
export const mandrill: HmacPreset = {
  name: "Mandrill",
  about: "E-mail of Mailchimp Transactional: sent, opened, bounced, inbound.",
  docs: "https://mailchimp.com/developer/transactional/guides/track-respond-activity-webhooks/",
  scheme: {
    ...PLAIN,
    header: "X-Mandrill-Signature",
    encoding: "base64",
    algorithm: "sha1",
    template: "{url}{sortedParams}",
  },
  secret: shownLater("Webhook key", "Of the webhook, which Mailchimp shows once it knows the URL."),
  place: "Open Settings, Webhooks, Add a Webhook",
  note: `${SIGNED_URL} Mailchimp checks it by HEAD.`,
  eventType: [],
  replay: NO_TIME,
  handshakes: [HEAD],
  limits:
    "A request holds a batch of events as JSON text in the field mandrill_events; map it with the transform json.",
  sample: {
    body: {
      mandrill_events: '[{"event":"send","msg":{"email":"jane@example.com","subject":"Hello"}}]',
    },
    isForm: true,
  },
};
