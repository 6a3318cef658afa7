import { field, type Handshake, hasOnly, jsonAnswer } from "./handshake.ts";
import { body, hmacPreset, shownFirst } from "./preset.ts";

// https://developer.monday.com/api-reference/reference/webhooks#url-verification
const verification: Handshake = {
  about: "POST of a challenge: repeated",
  isAuthenticated: false,
  answer: ({ payload }) =>
    hasOnly(payload, "challenge") ? jsonAnswer({ challenge: field(payload, "challenge") }) : null,
};

// https://developer.monday.com/apps/docs/integration-authorization: a JSON Web Token, HS256.
export const monday = hmacPreset({
  name: "monday.com",
  docs: "https://developer.monday.com/api-reference/reference/webhooks",
  scheme: { header: "Authorization", form: "jwt" },
  secret: shownFirst("Signing secret", "Of your app, under Basic Information."),
  place: "Create a webhook with your app by the mutation create_webhook",
  note: "monday.com checks the URL at once; Prompthook answers the challenge.",
  eventId: [body("event.triggerUuid")],
  eventType: [body("event.type")],
  handshakes: [verification],
  limits:
    "The token does not cover the body. Webhooks that are made in the board’s own menu carry no token: use an open URL for them.",
  sample: {
    body: { event: { type: "create_pulse", triggerUuid: "{{id}}", pulseName: "New item" } },
  },
});
