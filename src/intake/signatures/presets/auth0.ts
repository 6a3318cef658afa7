import { body, NO_TIME, OURS, type TokenPreset } from "./preset.ts";

// https://auth0.com/docs/customize/log-streams/custom-log-streams: the Authorization token is sent as it
// is typed.
export const auth0: TokenPreset = {
  name: "Auth0",
  about: "Log streams and event streams: sign-ups, logins, changes of users.",
  docs: "https://auth0.com/docs/customize/log-streams/custom-log-streams",
  token: { in: "header", name: "Authorization" },
  secret: OURS,
  place: "Open Monitoring, Streams, Create Log Stream, Custom Webhook",
  note: "Choose JSON Array or JSON Object. The token is the Authorization Token.",
  eventId: [body("[0].log_id"), body("log_id")],
  eventType: [body("[0].data.type"), body("data.type"), body("type")],
  replay: NO_TIME,
  limits:
    "Requests are not signed: the token is all that proves the sender. JSON Lines are not read.",
  sample: { body: { log_id: "{{id}}", data: { type: "s", user_name: "jane@example.com" } } },
};
