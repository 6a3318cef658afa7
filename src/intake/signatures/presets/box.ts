import { body, hmacPreset, MINUTE, shownFirst } from "./preset.ts";

// https://developer.box.com/guides/webhooks/v2/signatures-v2/: the body, then the time of delivery,
// which may be 10 minutes ago.
export const box = hmacPreset({
  name: "Box",
  docs: "https://developer.box.com/guides/webhooks/",
  scheme: {
    header: "Box-Signature-Primary",
    furtherHeaders: ["Box-Signature-Secondary"],
    encoding: "base64",
    template: "{body}{timestamp}",
    timestampHeader: "Box-Delivery-Timestamp",
  },
  secret: shownFirst("Primary or secondary signature key", "On the page Webhooks of your app."),
  place: "Open your app in the Developer Console, Webhooks, and create a V2 webhook",
  eventId: [body("id")],
  eventType: [body("trigger")],
  replay: { time: "signed", toleranceSeconds: 10 * MINUTE },
  sample: {
    body: { id: "{{id}}", trigger: "FILE.UPLOADED", source: { type: "file", name: "Test.pdf" } },
  },
});
