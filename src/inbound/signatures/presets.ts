import type * as z from "zod";
import type { Fault } from "../../contract/inbound/payload.ts";
import type {
  customScheme,
  Place,
  PresetName,
  SignatureScheme,
} from "../../contract/inbound/signature.ts";
import { isPart, partsOf } from "./template.ts";

/** How a provider signs, names its events and proves that an address is the caller's. */
export interface Preset {
  scheme: SignatureScheme;
  /** Where the event's id is, tried in order; empty where the provider sends none that survives a retry. */
  eventId: Place[];
  challenge: "slack" | "zoom" | "twitch" | null;
}

/** HMAC-SHA256 of the body in hex, under one header: what the schemes below differ from. */
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
    challenge: null,
  },
};

/** The preset of this name. */
export function presetOf(name: PresetName): Preset {
  return PRESET[name];
}

/** A caller's own scheme with its defaults. The default prefix names the algorithm and may be missing. */
export function customSchemeOf(custom: z.output<typeof customScheme>): SignatureScheme {
  const { header, form, encoding, algorithm, template, secretEncoding } = custom;
  const standard = { plain: `${algorithm}=`, list: "v1,", pairs: "v1" }[form];
  return {
    header,
    form,
    prefix: custom.prefix ?? standard,
    prefixOptional: form === "plain" && custom.prefix === undefined,
    encoding,
    algorithm,
    template,
    timestampHeader: custom.timestampHeader ?? null,
    timestampPair: custom.timestampPair ?? null,
    idHeader: custom.idHeader ?? null,
    aliases: [],
    secretEncoding,
  };
}

/** Headers that proxies set or change, so that no sender can sign with them. */
const TRANSPORT =
  /^(?:host|connection|content-(?:length|type|encoding)|transfer-encoding|cf-.*|x-forwarded-.*|x-real-ip)$/i;

/** What keeps a scheme from ever being verified, or from covering the payload; null for nothing. */
export function schemeFault(scheme: SignatureScheme): Fault | null {
  return templateFault(scheme) ?? formFault(scheme) ?? headerFault(scheme);
}

function templateFault(scheme: SignatureScheme): Fault | null {
  const parts = partsOf(scheme.template);
  const has = (part: string): boolean => parts.includes(part);
  const unknown = parts.find((part) => !isPart(part));
  if (unknown !== undefined) {
    return fault("template", "template_part", `{${unknown}} is no part of a request.`);
  }
  if (new Set(parts).size < parts.length) {
    return fault("template", "template_part", "names a part twice.");
  }
  if (has("sortedParams") && !has("url")) {
    return fault("template", "template_cover", "{sortedParams} needs {url} beside it.");
  }
  if (!has("body") && !has("sortedParams")) {
    return fault("template", "template_cover", "must contain {body}, or any body would be taken.");
  }
  const timed = scheme.timestampHeader !== null || scheme.timestampPair !== null;
  if (has("timestamp") !== timed) {
    return has("timestamp")
      ? fault("template", "template_source", "{timestamp} needs timestampHeader or timestampPair.")
      : fault(
          "template",
          "template_unused",
          "must contain {timestamp}, or the time is not signed.",
        );
  }
  if (has("id") !== (scheme.idHeader !== null)) {
    return has("id")
      ? fault("template", "template_source", "{id} needs idHeader.")
      : fault("template", "template_unused", "must contain {id}, or idHeader is not signed.");
  }
  return null;
}

function formFault({ form, prefix, ...scheme }: SignatureScheme): Fault | null {
  if (scheme.timestampPair !== null) {
    if (form !== "pairs") return fault("timestampPair", "form", "needs the form pairs.");
    if (scheme.timestampHeader !== null) {
      return fault("timestampPair", "form", "cannot be set beside timestampHeader.");
    }
    if (scheme.timestampPair === prefix) {
      return fault("timestampPair", "form", "is the name of the signature's pair.");
    }
  }
  if (form === "pairs" && !/^[^=,\s]+$/.test(prefix)) {
    return fault("prefix", "form", "must name the pair that holds the signature, as v1.");
  }
  if (/[^\x21-\x7e ]/.test(prefix) || (form === "list" && prefix.includes(" "))) {
    return fault("prefix", "form", "has characters that the header cannot hold there.");
  }
  return null;
}

function headerFault(scheme: SignatureScheme): Fault | null {
  const named = (["header", "timestampHeader", "idHeader"] as const).flatMap((path) => {
    const name = scheme[path];
    return name === null ? [] : [{ path, name: name.toLowerCase() }];
  });
  for (const [at, { path, name }] of named.entries()) {
    if (TRANSPORT.test(name)) return fault(path, "header", "is set by the transport.");
    if (named.slice(0, at).some((other) => other.name === name)) {
      return fault(path, "header", "is named twice.");
    }
  }
  return null;
}

const fault = (field: string, rule: string, message: string): Fault => ({
  path: `auth.hmac.${field}`,
  rule,
  message,
});
