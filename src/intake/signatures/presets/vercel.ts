import { body, hmacPreset, shownLater } from "./preset.ts";

// https://vercel.com/docs/webhooks/webhooks-api#securing-webhooks
export const vercel = hmacPreset({
  name: "Vercel",
  docs: "https://vercel.com/docs/webhooks",
  scheme: { header: "x-vercel-signature", algorithm: "sha1" },
  secret: shownLater("Secret", "Vercel shows it once, when the webhook is created."),
  place: "Open Webhooks in the team’s settings",
  eventId: [body("id")],
  eventType: [body("type")],
  sample: {
    body: {
      id: "{{id}}",
      type: "deployment.succeeded",
      payload: { deployment: { id: "dpl_1", url: "shop.vercel.app" } },
    },
  },
});
