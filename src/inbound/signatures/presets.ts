import type { Place, PresetName, SignatureScheme } from "../../contract/inbound/signature.ts";

/** How a provider signs requests, names events and checks that a URL belongs to its customer. */
export interface Preset {
  scheme: SignatureScheme;
  /** Where the event's id is, tried in order; empty if the provider sends none that survives a retry. */
  eventId: Place[];
  /** Where the event's type is, tried in order. */
  eventType: Place[];
  challenge: "slack" | "zoom" | "twitch" | null;
}

/** HMAC-SHA256 of the body, in hex, in one header: the base of the schemes below. */
const PLAIN = {
  form: "plain",
  prefix: "",
  prefixOptional: false,
  encoding: "hex",
  algorithm: "sha256",
  template: "{body}",
  timestampHeader: null,
  timestampPair: null,
  idHeader: null,
  aliases: [],
  secretEncoding: "utf8",
} satisfies Omit<SignatureScheme, "header">;

const header = (path: string): Place => ({ in: "header", path });
const body = (path: string): Place => ({ in: "body", path });

const PRESET: Record<PresetName, Preset> = {
  // https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
  // https://docs.github.com/en/webhooks/using-webhooks/best-practices-for-using-webhooks: a redelivery
  // has the X-GitHub-Delivery of the first.
  github: {
    scheme: { ...PLAIN, header: "X-Hub-Signature-256", prefix: "sha256=" },
    eventId: [header("X-GitHub-Delivery")],
    eventType: [header("X-GitHub-Event")],
    challenge: null,
  },

  // https://docs.stripe.com/webhooks/signature: `t=...,v1=...,v0=...`; only v1 counts, and there are
  // two of them while a secret is rolled. The secret is used as it is shown, `whsec_` included.
  // https://docs.stripe.com/webhooks#handle-duplicate-events
  stripe: {
    scheme: {
      ...PLAIN,
      header: "Stripe-Signature",
      form: "pairs",
      prefix: "v1",
      template: "{timestamp}.{body}",
      timestampPair: "t",
    },
    eventId: [body("id")],
    eventType: [body("type")],
    challenge: null,
  },

  // https://shopify.dev/docs/apps/build/webhooks/verify-deliveries; the names without X- are those of
  // Shopify's newer events. https://shopify.dev/docs/apps/build/webhooks/ignore-duplicates names
  // X-Shopify-Event-Id: it stays the same over retries and over double subscriptions. Older and newer
  // webhooks lack it; their Webhook-Id, which the official library calls the idempotency key, stays the
  // same over retries.
  shopify: {
    scheme: {
      ...PLAIN,
      header: "X-Shopify-Hmac-Sha256",
      encoding: "base64",
      aliases: [{ header: "Shopify-Hmac-Sha256", timestampHeader: null, idHeader: null }],
    },
    eventId: [
      header("X-Shopify-Event-Id"),
      header("X-Shopify-Webhook-Id"),
      header("Shopify-Webhook-Id"),
    ],
    eventType: [header("X-Shopify-Topic")],
    challenge: null,
  },

  // https://docs.slack.dev/authentication/verifying-requests-from-slack
  // https://docs.slack.dev/apis/events-api: retries keep the event_id.
  slack: {
    scheme: {
      ...PLAIN,
      header: "X-Slack-Signature",
      prefix: "v0=",
      template: "v0:{timestamp}:{body}",
      timestampHeader: "X-Slack-Request-Timestamp",
    },
    eventId: [body("event_id")],
    eventType: [body("event.type"), body("type")],
    challenge: "slack",
  },

  // https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md
  // https://docs.svix.com/receiving/verifying-payloads/how-manual: the same under svix-* names.
  "standard-webhooks": {
    scheme: {
      ...PLAIN,
      header: "webhook-signature",
      form: "list",
      prefix: "v1,",
      encoding: "base64",
      template: "{id}.{timestamp}.{body}",
      timestampHeader: "webhook-timestamp",
      idHeader: "webhook-id",
      aliases: [
        { header: "svix-signature", timestampHeader: "svix-timestamp", idHeader: "svix-id" },
      ],
      secretEncoding: "whsec",
    },
    eventId: [header("webhook-id"), header("svix-id")],
    eventType: [body("type")],
    challenge: null,
  },

  // https://developers.zoom.us/docs/api/webhooks/#verify-webhook-events. No id of the event is
  // documented: x-zm-trackingid is one of the delivery, and a retry has another.
  zoom: {
    scheme: {
      ...PLAIN,
      header: "x-zm-signature",
      prefix: "v0=",
      template: "v0:{timestamp}:{body}",
      timestampHeader: "x-zm-request-timestamp",
    },
    eventId: [],
    eventType: [body("event")],
    challenge: "zoom",
  },

  // https://dev.twitch.tv/docs/eventsub/handling-webhook-events/#verifying-the-event-message: a message
  // that is sent again has the same id.
  twitch: {
    scheme: {
      ...PLAIN,
      header: "Twitch-Eventsub-Message-Signature",
      prefix: "sha256=",
      template: "{id}{timestamp}{body}",
      timestampHeader: "Twitch-Eventsub-Message-Timestamp",
      idHeader: "Twitch-Eventsub-Message-Id",
    },
    eventId: [header("Twitch-Eventsub-Message-Id")],
    eventType: [header("Twitch-Eventsub-Subscription-Type")],
    challenge: "twitch",
  },

  // https://developer.squareup.com/docs/webhooks/step3validate: the notification URL, then the body.
  square: {
    scheme: {
      ...PLAIN,
      header: "x-square-hmacsha256-signature",
      encoding: "base64",
      template: "{url}{body}",
    },
    eventId: [body("event_id")],
    eventType: [body("type")],
    challenge: null,
  },

  // https://www.twilio.com/docs/usage/webhooks/webhooks-security
  // https://www.twilio.com/docs/usage/webhooks/webhooks-connection-overrides: retries keep the token.
  twilio: {
    scheme: {
      ...PLAIN,
      header: "X-Twilio-Signature",
      encoding: "base64",
      algorithm: "sha1",
      template: "{url}{sortedParams}",
    },
    eventId: [header("I-Twilio-Idempotency-Token")],
    eventType: [body("EventType")],
    challenge: null,
  },
};

/** The preset of this name. */
export function presetOf(name: PresetName): Preset {
  return PRESET[name];
}
