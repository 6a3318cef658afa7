import { body, tokenPreset } from "./preset.ts";

// https://core.telegram.org/bots/api#setwebhook: secret_token
export const telegram = tokenPreset({
  name: "Telegram",
  docs: "https://core.telegram.org/bots/api#setwebhook",
  token: { in: "header", name: "X-Telegram-Bot-Api-Secret-Token" },
  secret: { by: "us", hint: "1 to 256 letters, digits, _ and -. Leave empty to generate one." },
  place: "Call https://api.telegram.org/bot<token>/setWebhook",
  note: "The token is its secret_token.",
  eventId: [body("update_id")],
  limits: "Updates are not signed: the token in the header is all that proves the sender.",
  sample: {
    body: {
      update_id: 10_000,
      message: { message_id: 1, chat: { id: 1 }, from: { first_name: "Jane" }, text: "Hello" },
    },
  },
});
