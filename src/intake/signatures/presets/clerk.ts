import { body, header, hmacPreset, shownLater } from "./preset.ts";
import { standardWebhooks } from "./standard-webhooks.ts";

// https://clerk.com/docs/webhooks/overview: Clerk sends by Svix.
export const clerk = hmacPreset({
  name: "Clerk",
  docs: "https://clerk.com/docs/webhooks/overview",
  scheme: standardWebhooks.scheme,
  secret: shownLater("Signing secret", "whsec_…, which Clerk shows once it knows the URL."),
  place: "Open Configure, Webhooks, Add Endpoint in the Clerk Dashboard",
  eventId: [header("svix-id")],
  eventType: [body("type")],
  sample: {
    body: { type: "user.created", data: { id: "user_1", first_name: "Jane", last_name: "Doe" } },
  },
});
