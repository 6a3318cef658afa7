import { field, type Handshake, repeated } from "./handshake.ts";
import { header, hmacPreset, MINUTE } from "./preset.ts";

// https://dev.twitch.tv/docs/eventsub/handling-webhook-events/#responding-to-a-challenge-request
const verification: Handshake = {
  about: "signed webhook_callback_verification: its challenge repeated",
  isAuthenticated: true,
  answer({ headers, payload }) {
    const type = headers.get("Twitch-Eventsub-Message-Type")?.toLowerCase();
    return type === "webhook_callback_verification" ? repeated(field(payload, "challenge")) : null;
  },
};

// https://dev.twitch.tv/docs/eventsub/handling-webhook-events/#verifying-the-event-message: a message
// that is sent again has the same id; messages older than 10 minutes are to be refused.
export const twitch = hmacPreset({
  name: "Twitch",
  docs: "https://dev.twitch.tv/docs/eventsub/handling-webhook-events/",
  scheme: {
    header: "Twitch-Eventsub-Message-Signature",
    prefix: "sha256=",
    template: "{id}{timestamp}{body}",
    timestampHeader: "Twitch-Eventsub-Message-Timestamp",
    idHeader: "Twitch-Eventsub-Message-Id",
  },
  secret: { by: "us", hint: "10 to 100 ASCII characters. Leave empty to generate one." },
  place: "Create one by POST https://api.twitch.tv/helix/eventsub/subscriptions",
  note: "Twitch checks the URL, which must use port 443; Prompthook answers the challenge.",
  eventId: [header("Twitch-Eventsub-Message-Id")],
  eventType: [header("Twitch-Eventsub-Subscription-Type")],
  replay: { time: "signed", toleranceSeconds: 10 * MINUTE },
  handshakes: [verification],
  sample: {
    headers: {
      "Twitch-Eventsub-Message-Type": "notification",
      "Twitch-Eventsub-Subscription-Type": "stream.online",
    },
    body: { event: { broadcaster_user_id: "1337", broadcaster_user_name: "cool_user" } },
  },
});
