import { HEAD } from "./handshake.ts";
import { body, hmacPreset, SIGNED_URL, shownFirst } from "./preset.ts";

// https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/#webhook-signatures: the body,
// then the callback URL.
export const trello = hmacPreset({
  name: "Trello",
  docs: "https://developer.atlassian.com/cloud/trello/guides/rest-api/webhooks/",
  scheme: {
    header: "X-Trello-Webhook",
    encoding: "base64",
    algorithm: "sha1",
    template: "{body}{url}",
  },
  secret: shownFirst("Secret", "Of your Power-Up, on the page API Key."),
  place: "Create a webhook by POST https://api.trello.com/1/webhooks",
  note: `${SIGNED_URL} Trello checks it by HEAD.`,
  eventId: [body("action.id")],
  eventType: [body("action.type")],
  handshakes: [HEAD],
  sample: {
    body: {
      action: { id: "{{id}}", type: "createCard", data: { card: { id: "c1", name: "New card" } } },
    },
  },
});
