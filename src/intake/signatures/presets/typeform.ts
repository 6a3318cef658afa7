import { body, hmacPreset } from "./preset.ts";

// https://www.typeform.com/developers/webhooks/secure-your-webhooks/
export const typeform = hmacPreset({
  name: "Typeform",
  docs: "https://www.typeform.com/developers/webhooks/",
  scheme: { header: "Typeform-Signature", prefix: "sha256=", encoding: "base64" },
  place: "Open Connect, Webhooks, Add a webhook in the form",
  note: "Edit the webhook to paste the secret and to switch it on.",
  eventId: [body("event_id")],
  eventType: [body("event_type")],
  sample: {
    body: {
      event_id: "{{id}}",
      event_type: "form_response",
      form_response: { form_id: "f1", answers: [{ type: "email", email: "jane@example.com" }] },
    },
  },
});
