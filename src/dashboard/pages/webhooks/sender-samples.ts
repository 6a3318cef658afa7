import type { JsonObject } from "../../../contract/json.ts";

/** A request as a sender would send it; `{{id}}` and `{{now}}` are filled when it is sent. */
export interface SenderSample {
  headers: readonly (readonly [string, string])[];
  body: JsonObject;
  /** Whether the body goes as a form. */
  isForm?: boolean;
}

const ANY: SenderSample = { headers: [], body: { id: "{{id}}", message: "Hello" } };

const SAMPLES: Record<string, SenderSample> = {
  github: {
    headers: [
      ["X-GitHub-Event", "issues"],
      ["X-GitHub-Delivery", "{{id}}"],
    ],
    body: {
      action: "opened",
      issue: {
        number: 7,
        title: "The export is empty",
        html_url: "https://github.com/octo/shop/issues/7",
        user: { login: "octocat" },
      },
      repository: { full_name: "octo/shop", html_url: "https://github.com/octo/shop" },
    },
  },
  stripe: {
    headers: [],
    body: {
      id: "evt_{{id}}",
      object: "event",
      type: "payment_intent.succeeded",
      data: { object: { id: "pi_1", object: "payment_intent", amount: 2_000, currency: "usd" } },
    },
  },
  shopify: {
    headers: [
      ["X-Shopify-Topic", "orders/create"],
      ["X-Shopify-Event-Id", "{{id}}"],
    ],
    body: { id: 450_789_469, email: "jane@example.com", total_price: "19.99", currency: "EUR" },
  },
  slack: {
    headers: [],
    body: {
      type: "event_callback",
      event_id: "Ev{{id}}",
      event: { type: "app_mention", user: "U061F7AUR", channel: "C0LAN2Q65", text: "Hello" },
    },
  },
  "standard-webhooks": {
    headers: [],
    body: { type: "user.created", data: { id: "user_1", email: "jane@example.com" } },
  },
  zoom: {
    headers: [],
    body: {
      event: "meeting.started",
      payload: { account_id: "a1", object: { id: "123456789", topic: "Weekly", host_id: "h1" } },
    },
  },
  twitch: {
    headers: [
      ["Twitch-Eventsub-Message-Type", "notification"],
      ["Twitch-Eventsub-Subscription-Type", "stream.online"],
    ],
    body: {
      subscription: { type: "stream.online" },
      event: { broadcaster_user_id: "1337", broadcaster_user_name: "cool_user", type: "live" },
    },
  },
  square: {
    headers: [],
    body: {
      merchant_id: "6SSW7HV8K2ST5",
      type: "payment.updated",
      event_id: "{{id}}",
      data: { type: "payment", id: "hYy9pRFVxpDsO1FB05SunFWUe9JZY" },
    },
  },
  twilio: {
    headers: [["I-Twilio-Idempotency-Token", "{{id}}"]],
    body: { MessageSid: "SM{{id}}", From: "+15550100", To: "+15550101", Body: "Hello" },
    isForm: true,
  },
};

/** What a sender of this kind sends, in short. */
export function sampleOfSender(id: string): SenderSample {
  return SAMPLES[id] ?? ANY;
}
