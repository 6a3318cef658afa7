import { type Handshake, handshakeFlaw, repeated } from "./handshake.ts";
import { body, hmacPreset, shownFirst } from "./preset.ts";

/**
 * A GET of WebSub (https://www.w3.org/TR/websub/#hub-verifies-intent), which any sender may use. Meta adds
 * hub.verify_token, which must be the endpoint's token.
 */
export const hubHandshake: Handshake = {
  about: "GET with hub.challenge: repeated, if hub.verify_token is auth.token",
  isAuthenticated: false,
  hasToken: true,
  asks: ({ method, url: { searchParams } }) =>
    method === "GET" &&
    /^(?:un)?subscribe$/.test(searchParams.get("hub.mode") ?? "") &&
    searchParams.has("hub.challenge"),
  async answer({ url: { searchParams }, proof, isToken }) {
    const answer = repeated(searchParams.get("hub.challenge"));
    if (answer === null || proof === "none") return answer;
    if (proof === "signature") {
      return handshakeFlaw(
        "hub.challenge",
        "A hub.challenge has no signature. Set auth.token and send it as hub.verify_token.",
      );
    }
    return (await isToken(searchParams.get("hub.verify_token") ?? ""))
      ? answer
      : handshakeFlaw("hub.challenge", "hub.verify_token is not the endpoint's token.");
  },
};

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
  handshakes: [hubHandshake],
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
