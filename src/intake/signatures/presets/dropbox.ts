import { repeating } from "./handshake.ts";
import { hmacPreset, shownFirst } from "./preset.ts";

export const dropbox = hmacPreset({
  name: "Dropbox",
  docs: "https://www.dropbox.com/developers/reference/webhooks",
  scheme: { header: "X-Dropbox-Signature" },
  secret: shownFirst("App secret", "Of your app in the Dropbox App Console, on the page Settings."),
  place: "Open your app in the App Console, Webhooks",
  note: "Dropbox checks the URL at once; Prompthook answers the challenge.",
  // https://www.dropbox.com/developers/reference/webhooks#documentation
  handshakes: [repeating("GET", "challenge")],
  limits: "Requests have no id and no type, and name accounts, not files.",
  sample: { body: { list_folder: { accounts: ["dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc"] } } },
});
