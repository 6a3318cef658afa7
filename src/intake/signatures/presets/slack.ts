import { field, type Handshake, repeated } from "./handshake.ts";
import { body, hmacPreset, shownFirst } from "./preset.ts";

// https://docs.slack.dev/reference/events/url_verification. Its answer needs no secret, so endpoints without
// a preset give it as well.
export const slackHandshake: Handshake = {
  about: "signed url_verification: its challenge repeated",
  isAuthenticated: true,
  answer: ({ payload }) =>
    field(payload, "type") === "url_verification" ? repeated(field(payload, "challenge")) : null,
};

// https://docs.slack.dev/authentication/verifying-requests-from-slack
// https://docs.slack.dev/apis/events-api: retries keep the event_id.
export const slack = hmacPreset({
  name: "Slack",
  docs: "https://docs.slack.dev/apis/events-api/using-http-request-urls",
  scheme: {
    header: "X-Slack-Signature",
    prefix: "v0=",
    template: "v0:{timestamp}:{body}",
    timestampHeader: "X-Slack-Request-Timestamp",
  },
  secret: shownFirst("Signing secret", "Of your app, under Basic Information."),
  place: "Open Event Subscriptions in your app’s settings and switch events on",
  note: "Slack checks the URL at once; Prompthook answers the challenge.",
  eventId: [body("event_id")],
  eventType: [body("event.type"), body("type")],
  handshakes: [slackHandshake],
  sample: {
    body: {
      type: "event_callback",
      event_id: "Ev{{id}}",
      event: { type: "app_mention", user: "U061F7AUR", channel: "C0LAN2Q65", text: "Hello" },
    },
  },
});
