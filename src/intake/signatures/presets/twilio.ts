import { body, header, hmacPreset, SIGNED_URL, shownFirst } from "./preset.ts";

// https://www.twilio.com/docs/usage/webhooks/webhooks-connection-overrides: retries keep the token.
export const twilio = hmacPreset({
  name: "Twilio",
  docs: "https://www.twilio.com/docs/usage/webhooks/webhooks-security",
  scheme: {
    header: "X-Twilio-Signature",
    encoding: "base64",
    algorithm: "sha1",
    template: "{url}{sortedParams}",
  },
  secret: shownFirst("Auth token", "The primary auth token of your account."),
  place: "Open the phone number, or the messaging service, that events come from",
  note: `${SIGNED_URL} Choose HTTP POST.`,
  eventId: [header("I-Twilio-Idempotency-Token")],
  eventType: [body("EventType")],
  limits: "The answer is no TwiML, so Twilio says nothing to the caller.",
  sample: {
    headers: { "I-Twilio-Idempotency-Token": "{{id}}" },
    body: { MessageSid: "SM{{id}}", From: "+15550100", To: "+15550101", Body: "Hello" },
    isForm: true,
  },
});
