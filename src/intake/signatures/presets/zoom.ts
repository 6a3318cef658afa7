import { field, type Handshake, isEcho, jsonAnswer } from "./handshake.ts";
import { body, hmacPreset, shownFirst } from "./preset.ts";

// https://developers.zoom.us/docs/api/webhooks/#validate-your-webhook-endpoint
const validation: Handshake = {
  about: "signed endpoint.url_validation: answered with its token, signed",
  isAuthenticated: true,
  async answer({ payload, sign }) {
    if (field(payload, "event") !== "endpoint.url_validation") return null;
    const plainToken = field(field(payload, "payload"), "plainToken");
    const encryptedToken = isEcho(plainToken) ? await sign(plainToken) : null;
    return encryptedToken === null ? null : jsonAnswer({ plainToken, encryptedToken });
  },
};

// https://developers.zoom.us/docs/api/webhooks/#verify-webhook-events. No id of the event is
// documented: x-zm-trackingid is one of the delivery, and a retry has another.
export const zoom = hmacPreset({
  name: "Zoom",
  docs: "https://developers.zoom.us/docs/api/webhooks/",
  scheme: {
    header: "x-zm-signature",
    prefix: "v0=",
    template: "v0:{timestamp}:{body}",
    timestampHeader: "x-zm-request-timestamp",
  },
  secret: shownFirst("Secret token", "Of your app, on the page Features, Access."),
  place: "Open your app in the App Marketplace, Features, Access and add a subscription",
  note: "Validate the URL: Prompthook answers Zoom’s challenge with the secret token.",
  eventType: [body("event")],
  handshakes: [validation],
  limits: "Events have no id.",
  sample: {
    body: { event: "meeting.started", payload: { object: { id: "123456789", topic: "Weekly" } } },
  },
});
