import type { EndpointRecord } from "../../../contract/inbound/endpoint.ts";
import { PRESETS, type PresetName } from "../../../contract/inbound/signature.ts";
import type { JsonObject } from "../../../contract/json.ts";
import { presetOf } from "../../../inbound/signatures/presets.ts";

/** A kind of sender that an endpoint is created for. */
export interface Sender {
  id: string;
  name: string;
  /** The text of its card. */
  about: string;
  /** How an endpoint authenticates it. */
  auth: { kind: "preset"; preset: PresetName } | { kind: "custom" | "token" | "open" };
  secret: SecretOrigin | null;
  /** The steps in the sender's own settings. */
  steps: readonly Step[];
  /** The sender's documentation of these steps. */
  docs: string | null;
  /** A webhook of this sender, for a first try. */
  sample: SenderSample;
}

/** A request as a sender would send it; `{{id}}` and `{{now}}` are filled when it is sent. */
interface SenderSample {
  headers: readonly (readonly [string, string])[];
  body: JsonObject;
  /** Whether the body goes as a form. */
  isForm?: boolean;
}

const ANY: SenderSample = { headers: [], body: { id: "{{id}}", message: "Hello" } };

/** A step; `{where}` stands for the place of the secret, `given` replaces the step where the secret is known. */
type Step = string | { missing: string; given: string | null };

/** Where a sender's secret comes from. */
type SecretOrigin =
  /** The reader chooses it, so the service can generate one. */
  | { by: "us"; hint: string }
  /** The sender chooses it; `first`: before it knows the URL, which it checks at once. */
  | {
      by: "them";
      first: boolean;
      name: string;
      hint: string;
      /** Whether some of these senders accept a generated one instead. */
      orOurs?: boolean;
    };

type Provider = Omit<Sender, "id" | "auth">;

/** Providers with a preset; the steps follow their documentation. */
const PROVIDERS: Record<PresetName, Provider> = {
  github: {
    name: "GitHub",
    about: "Pushes, issues, pull requests and other events of a repository or an organisation.",
    secret: { by: "us", hint: "Leave empty to generate one, then paste it into GitHub." },
    steps: [
      "In the repository or organisation open Settings, Webhooks, Add webhook.",
      "Paste the URL into “Payload URL” and choose application/json as the content type.",
      "Paste the secret into “Secret”, choose the events and add the webhook. GitHub sends a ping at once.",
    ],
    docs: "https://docs.github.com/en/webhooks/using-webhooks/creating-webhooks",
    sample: {
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
  },
  stripe: {
    name: "Stripe",
    about: "Payments, invoices, subscriptions.",
    secret: {
      by: "them",
      first: false,
      name: "Signing secret",
      hint: "whsec_…, which Stripe shows once it knows the URL. Leave empty until then.",
    },
    steps: [
      "In Stripe’s Workbench open Webhooks and create a destination of the type “Webhook endpoint”.",
      "Choose the events, paste the URL and create it.",
      {
        missing: "Reveal the signing secret on the destination’s page, and paste it {where}.",
        given: null,
      },
    ],
    docs: "https://docs.stripe.com/webhooks",
    sample: {
      headers: [],
      body: {
        id: "evt_{{id}}",
        object: "event",
        type: "payment_intent.succeeded",
        data: { object: { id: "pi_1", object: "payment_intent", amount: 2_000, currency: "usd" } },
      },
    },
  },
  shopify: {
    name: "Shopify",
    about: "Orders, products, customers of a shop.",
    secret: {
      by: "them",
      first: false,
      name: "Signing key",
      hint: "An app’s client secret, or the key that the shop shows below its webhooks.",
    },
    steps: [
      "In the shop’s admin open Settings, Notifications, Webhooks and create a webhook in the format JSON.",
      {
        missing:
          "Paste the URL and save. The page shows the key that the shop’s webhooks are signed with: paste it {where}.",
        given: "Paste the URL and save.",
      },
      "The webhooks of an app are signed with the app’s client secret instead.",
    ],
    docs: "https://shopify.dev/docs/apps/build/webhooks/verify-deliveries",
    sample: {
      headers: [
        ["X-Shopify-Topic", "orders/create"],
        ["X-Shopify-Event-Id", "{{id}}"],
      ],
      body: { id: 450_789_469, email: "jane@example.com", total_price: "19.99", currency: "EUR" },
    },
  },
  slack: {
    name: "Slack",
    about: "Messages, mentions, reactions: the Events API of your app.",
    secret: {
      by: "them",
      first: true,
      name: "Signing secret",
      hint: "In your app’s settings under Basic Information, App Credentials.",
    },
    steps: [
      "In your app’s settings open Event Subscriptions and switch events on.",
      "Paste the URL into “Request URL”. Slack checks it at once; Prompthook answers the challenge.",
      "Subscribe to the events of your bot and save.",
    ],
    docs: "https://docs.slack.dev/apis/events-api/using-http-request-urls",
    sample: {
      headers: [],
      body: {
        type: "event_callback",
        event_id: "Ev{{id}}",
        event: { type: "app_mention", user: "U061F7AUR", channel: "C0LAN2Q65", text: "Hello" },
      },
    },
  },
  "standard-webhooks": {
    name: "Standard Webhooks",
    about: "Svix, Clerk, Resend and other senders that sign with webhook-id or svix-id.",
    secret: {
      by: "them",
      first: false,
      name: "Signing secret",
      hint: "whsec_…, which most senders show once they know the URL. Leave empty until then.",
      orOurs: true,
    },
    steps: [
      "In the sender’s settings for webhooks add an endpoint and paste the URL.",
      {
        missing:
          "Copy the signing secret that it shows, and paste it {where}. If the sender asks you for a secret, give it the one of this endpoint.",
        given: "If the sender asks you for a signing secret, give it the one of this endpoint.",
      },
    ],
    docs: "https://www.standardwebhooks.com",
    sample: {
      headers: [],
      body: { type: "user.created", data: { id: "user_1", email: "jane@example.com" } },
    },
  },
  zoom: {
    name: "Zoom",
    about: "Meetings, webinars, recordings, phone calls.",
    secret: {
      by: "them",
      first: true,
      name: "Secret token",
      hint: "Of your app in the Zoom App Marketplace, on the page Features, Access.",
    },
    steps: [
      "In the Zoom App Marketplace open your app, then Features, Access, and switch Event Subscriptions on.",
      "Add a subscription, choose its events and paste the URL into “Event notification endpoint URL”.",
      "Validate it: Prompthook answers Zoom’s challenge with the secret token.",
    ],
    docs: "https://developers.zoom.us/docs/api/webhooks/",
    sample: {
      headers: [],
      body: {
        event: "meeting.started",
        payload: { account_id: "a1", object: { id: "123456789", topic: "Weekly", host_id: "h1" } },
      },
    },
  },
  twitch: {
    name: "Twitch",
    about: "EventSub: streams, followers, channel points.",
    secret: {
      by: "us",
      hint: "10 to 100 ASCII characters. Leave empty to generate one.",
    },
    steps: [
      "Create a subscription by POST https://api.twitch.tv/helix/eventsub/subscriptions.",
      "In its transport, method is webhook, callback is the URL and secret is the secret.",
      "Twitch calls the URL with a challenge, which Prompthook answers. The URL must use port 443.",
    ],
    docs: "https://dev.twitch.tv/docs/eventsub/handling-webhook-events/",
    sample: {
      headers: [
        ["Twitch-Eventsub-Message-Type", "notification"],
        ["Twitch-Eventsub-Subscription-Type", "stream.online"],
      ],
      body: {
        subscription: { type: "stream.online" },
        event: { broadcaster_user_id: "1337", broadcaster_user_name: "cool_user", type: "live" },
      },
    },
  },
  square: {
    name: "Square",
    about: "Payments, orders, bookings.",
    secret: {
      by: "them",
      first: false,
      name: "Signature key",
      hint: "Square shows it once it knows the URL. Leave empty until then.",
    },
    steps: [
      "In the Developer Console open your application, then Webhooks, Subscriptions, Add subscription.",
      "Paste the URL as it is, since it is signed too, choose the events and save.",
      {
        missing: "Open the subscription, show its signature key, and paste it {where}.",
        given: null,
      },
    ],
    docs: "https://developer.squareup.com/docs/webhooks/step2subscribe",
    sample: {
      headers: [],
      body: {
        merchant_id: "6SSW7HV8K2ST5",
        type: "payment.updated",
        event_id: "{{id}}",
        data: { type: "payment", id: "hYy9pRFVxpDsO1FB05SunFWUe9JZY" },
      },
    },
  },
  twilio: {
    name: "Twilio",
    about: "Messages and calls, sent as forms.",
    secret: {
      by: "them",
      first: true,
      name: "Auth token",
      hint: "The primary auth token of your account, in the Twilio Console.",
    },
    steps: [
      "In the Twilio Console open the phone number, or the messaging service, that events come from.",
      "Paste the URL as it is, since it is signed too, as the webhook of “A message comes in”, with HTTP POST.",
    ],
    docs: "https://www.twilio.com/docs/usage/webhooks/webhooks-security",
    sample: {
      headers: [["I-Twilio-Idempotency-Token", "{{id}}"]],
      body: { MessageSid: "SM{{id}}", From: "+15550100", To: "+15550101", Body: "Hello" },
      isForm: true,
    },
  },
};

/** Returns the sender of a preset. */
export function providerOf(preset: PresetName): Sender {
  return { id: preset, auth: { kind: "preset", preset }, ...PROVIDERS[preset] };
}

const CUSTOM: Sender = {
  id: "hmac",
  name: "Custom signature",
  about: "Any sender that signs with HMAC. You choose the header, the text and the algorithm.",
  auth: { kind: "custom" },
  secret: { by: "us", hint: "Leave empty to generate one, then give it to the sender." },
  steps: [
    "Give the sender the URL and the secret.",
    "The sender signs the text of the template with HMAC and sends the signature in the header.",
  ],
  docs: null,
  sample: ANY,
};

const TOKEN: Sender = {
  id: "token",
  name: "Token",
  about: "Senders that can add a header: X-Webhook-Token or Authorization: Bearer.",
  auth: { kind: "token" },
  secret: { by: "us", hint: "Leave empty to generate one, then give it to the sender." },
  steps: [
    "Give the sender the URL and the token.",
    "The sender sends the token in the header, or as Authorization: Bearer.",
  ],
  docs: null,
  sample: ANY,
};

const OPEN: Sender = {
  id: "open",
  name: "Open URL",
  about: "No secret. Anyone who knows the unguessable URL can start the workflow.",
  auth: { kind: "open" },
  secret: null,
  steps: [
    "Give the URL only to the sender: it is the only credential. An IP allowlist makes it safer.",
  ],
  docs: null,
  sample: ANY,
};

/** All senders, in the order of their cards. */
export const SENDERS: readonly Sender[] = [...PRESETS.map(providerOf), CUSTOM, TOKEN, OPEN];

/** Tells whether the signature covers the time of sending. */
export function signsTime({ hmac }: EndpointRecord["auth"]): boolean {
  const template =
    hmac?.preset === undefined ? hmac?.template : presetOf(hmac.preset).scheme.template;
  return template?.includes("{timestamp}") ?? false;
}

/** Returns the sender that an endpoint is for, by its authentication. */
export function senderOf({ auth: { hmac, token } }: Pick<EndpointRecord, "auth">): Sender {
  if (hmac?.preset !== undefined) return providerOf(hmac.preset);
  if (hmac !== undefined) return CUSTOM;
  return token === undefined ? OPEN : TOKEN;
}
