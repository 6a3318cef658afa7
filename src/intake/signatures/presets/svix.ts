import { body, header, hmacPreset, shownLater } from "./preset.ts";
import { standardWebhooks } from "./standard-webhooks.ts";

// https://docs.svix.com/receiving/verifying-payloads/how-manual
export const svix = hmacPreset({
  name: "Svix",
  docs: "https://docs.svix.com/receiving/introduction",
  scheme: standardWebhooks.scheme,
  secret: shownLater("Signing secret", "whsec_…, which the service shows once it knows the URL."),
  place: "Open the service’s settings for webhooks and add an endpoint",
  eventId: [header("svix-id"), header("webhook-id")],
  eventType: [body("type"), body("eventType")],
  sample: { body: { type: "invoice.paid", data: { id: "in_1", total: 12.5 } } },
});
