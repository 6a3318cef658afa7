import { body, type HmacPreset, header, SIGNED_TIME, shownLater } from "./preset.ts";
import { standardWebhooks } from "./standard-webhooks.ts";

// https://clerk.com/docs/webhooks/overview: Clerk sends by Svix.
export const clerk: HmacPreset = {
  name: "Clerk",
  about: "Users, sessions, organisations.",
  docs: "https://clerk.com/docs/webhooks/overview",
  scheme: standardWebhooks.scheme,
  secret: shownLater("Signing secret", "whsec_…, which Clerk shows once it knows the URL."),
  steps: [
    "In the Clerk Dashboard open Configure, Webhooks, Add Endpoint, and paste the URL.",
    "Copy the signing secret of the endpoint and paste it under Settings.",
  ],
  eventId: [header("svix-id")],
  eventType: [body("type")],
  replay: SIGNED_TIME,
  sample: {
    body: { type: "user.created", data: { id: "user_1", first_name: "Jane", last_name: "Doe" } },
  },
};
