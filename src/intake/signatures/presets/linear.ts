import { body, HOUR, header, hmacPreset, shownLater } from "./preset.ts";

// https://linear.app/developers/webhooks: retries after 1 minute, 1 hour and 6 hours repeat the body.
export const linear = hmacPreset({
  name: "Linear",
  docs: "https://linear.app/developers/webhooks",
  scheme: { header: "Linear-Signature" },
  secret: shownLater("Signing secret", "lin_wh_…, which Linear shows on the page of the webhook."),
  place: "Open API, Webhooks, New webhook in the settings",
  eventId: [header("Linear-Delivery")],
  eventType: [header("Linear-Event")],
  replay: { time: body("webhookTimestamp"), toleranceSeconds: 8 * HOUR },
  sample: {
    headers: { "Linear-Event": "Issue", "Linear-Delivery": "{{id}}" },
    body: { action: "create", data: { title: "The export is empty", identifier: "ENG-7" } },
  },
});
