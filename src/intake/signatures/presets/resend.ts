import { body, header, hmacPreset, shownLater } from "./preset.ts";
import { standardWebhooks } from "./standard-webhooks.ts";

// https://resend.com/docs/dashboard/webhooks/verify-webhooks-requests: Resend sends by Svix.
export const resend = hmacPreset({
  name: "Resend",
  docs: "https://resend.com/docs/dashboard/webhooks/introduction",
  scheme: standardWebhooks.scheme,
  secret: shownLater("Signing secret", "whsec_…, which Resend shows once it knows the URL."),
  place: "Open Webhooks, Add Webhook",
  eventId: [header("svix-id")],
  eventType: [body("type")],
  sample: { body: { type: "email.delivered", data: { email_id: "e1", subject: "Hello" } } },
});
