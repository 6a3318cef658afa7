import { body, type HmacPreset, header, hmacPreset, shownLater } from "./preset.ts";
import { standardWebhooks } from "./standard-webhooks.ts";

/** Returns the preset of a sender that sends by Svix. */
export const sentBySvix = (sender: Pick<HmacPreset, "name" | "docs" | "place" | "sample">) =>
  hmacPreset({
    scheme: standardWebhooks.scheme,
    secret: shownLater("Signing secret", "whsec_…, which is shown once the URL is known."),
    eventId: [header("svix-id"), header("webhook-id")],
    eventType: [body("type"), body("eventType")],
    ...sender,
  });

// https://docs.svix.com/receiving/verifying-payloads/how-manual
export const svix = sentBySvix({
  name: "Svix",
  docs: "https://docs.svix.com/receiving/introduction",
  place: "Open the service’s settings for webhooks and add an endpoint",
  sample: { body: { type: "invoice.paid", data: { id: "in_1", total: 12.5 } } },
});
