import { HUB } from "./handshake.ts";
import { body, hmacPreset, shownFirst } from "./preset.ts";

export const meta = hmacPreset({
  name: "Meta",
  docs: "https://developers.facebook.com/docs/graph-api/webhooks/getting-started",
  scheme: { header: "X-Hub-Signature-256", prefix: "sha256=" },
  secret: shownFirst("App secret", "Of your app, under App settings, Basic."),
  place: "Open Webhooks in the app’s dashboard",
  note: "Set auth.token to a verify token of your choice: Meta sends it in the check of the URL only.",
  eventId: [
    body("entry[0].changes[0].value.messages[0].id"),
    body("entry[0].messaging[0].message.mid"),
  ],
  eventType: [body("entry[0].changes[0].field"), body("object")],
  handshakes: [HUB],
  limits:
    "A request may hold several changes; only messages have an id. Set split.path to entry[*].changes, or to entry[*].messaging for Messenger.",
  sample: {
    body: {
      object: "whatsapp_business_account",
      entry: [
        {
          changes: [
            {
              field: "messages",
              value: { messages: [{ id: "wamid.{{id}}", text: { body: "Hello" } }] },
            },
          ],
        },
      ],
    },
  },
});
