import { HEAD } from "./handshake.ts";
import { body, hmacPreset, shownFirst } from "./preset.ts";

export const intercom = hmacPreset({
  name: "Intercom",
  docs: "https://developers.intercom.com/docs/webhooks/setting-up-webhooks/",
  scheme: { header: "X-Hub-Signature", prefix: "sha1=", algorithm: "sha1" },
  secret: shownFirst("Client secret", "Of your app, on the page Basic information."),
  place: "Open your app in the Developer Hub, Webhooks",
  note: "Intercom checks the URL by HEAD.",
  eventId: [body("id")],
  eventType: [body("topic")],
  handshakes: [HEAD],
  sample: {
    body: { id: "notif_{{id}}", topic: "conversation.user.created", data: { item: { id: "1" } } },
  },
});
