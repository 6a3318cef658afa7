import { sentBySvix } from "./svix.ts";

// https://resend.com/docs/dashboard/webhooks/verify-webhooks-requests: Resend sends by Svix.
export const resend = sentBySvix({
  name: "Resend",
  docs: "https://resend.com/docs/dashboard/webhooks/introduction",
  place: "Open Webhooks, Add Webhook",
  sample: { body: { type: "email.delivered", data: { email_id: "e1", subject: "Hello" } } },
});
