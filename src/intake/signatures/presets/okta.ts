import { type Handshake, isEcho, jsonAnswer } from "./handshake.ts";
import { body, tokenPreset } from "./preset.ts";

const CHALLENGE = "X-Okta-Verification-Challenge";

// https://developer.okta.com/docs/concepts/event-hooks/#one-time-verification-request
const verification: Handshake = {
  about: `GET with ${CHALLENGE}: repeated`,
  isAuthenticated: true,
  asks: ({ method, headers }) => method === "GET" && headers.has(CHALLENGE),
  answer({ headers }) {
    const text = headers.get(CHALLENGE);
    return isEcho(text) ? jsonAnswer({ verification: text }) : null;
  },
};

export const okta = tokenPreset({
  name: "Okta",
  docs: "https://developer.okta.com/docs/concepts/event-hooks/",
  token: { in: "header", name: "Authorization" },
  place: "Open Workflow, Event Hooks, Create Event Hook in the Admin Console",
  note: "The authentication field is Authorization, and its secret the token. Then verify the hook.",
  eventId: [body("eventId")],
  split: "data.events",
  eventType: [body("data.events[0].eventType"), body("eventType")],
  handshakes: [verification],
  limits: "Requests are not signed: the token is all that proves the sender.",
  sample: {
    body: {
      eventType: "com.okta.event_hook",
      eventId: "{{id}}",
      data: { events: [{ uuid: "u1", eventType: "user.lifecycle.create" }] },
    },
  },
});
