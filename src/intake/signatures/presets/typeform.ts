import { body, type HmacPreset, NO_TIME, OURS, PLAIN } from "./preset.ts";

// https://www.typeform.com/developers/webhooks/secure-your-webhooks/
export const typeform: HmacPreset = {
  name: "Typeform",
  about: "Submitted forms.",
  docs: "https://www.typeform.com/developers/webhooks/",
  scheme: { ...PLAIN, header: "Typeform-Signature", prefix: "sha256=", encoding: "base64" },
  secret: OURS,
  place: "Open Connect, Webhooks, Add a webhook in the form",
  note: "Edit the webhook to paste the secret and to switch it on.",
  eventId: [body("event_id")],
  eventType: [body("event_type")],
  replay: NO_TIME,
  sample: {
    body: {
      event_id: "{{id}}",
      event_type: "form_response",
      form_response: { form_id: "f1", answers: [{ type: "email", email: "jane@example.com" }] },
    },
  },
};
