import { body, NO_TIME, OURS, type TokenPreset } from "./preset.ts";

// https://developer.okta.com/docs/concepts/event-hooks/
export const okta: TokenPreset = {
  name: "Okta",
  about: "Event hooks: users, groups, sign-ins.",
  docs: "https://developer.okta.com/docs/concepts/event-hooks/",
  token: { in: "header", name: "Authorization" },
  secret: OURS,
  steps: [
    "In the Admin Console open Workflow, Event Hooks, Create Event Hook.",
    "Paste the URL, Authorization as the authentication field and the token as the secret.",
    "Verify it: Prompthook answers the challenge.",
  ],
  eventId: [body("eventId")],
  split: "data.events",
  eventType: [body("data.events[0].eventType"), body("eventType")],
  replay: NO_TIME,
  challenges: ["okta"],
  limits: "Requests are not signed: the token is all that proves the sender.",
  sample: {
    body: {
      eventType: "com.okta.event_hook",
      eventId: "{{id}}",
      eventTime: "2026-01-31T09:30:00Z",
      source: "https://example.okta.com/api/v1/eventHooks/1",
      data: {
        events: [{ uuid: "u1", eventType: "user.lifecycle.create", displayMessage: "Create user" }],
      },
    },
  },
};
