import * as z from "zod";
import { closed, listOf, matching, oneOf, open, textUpTo, whole } from "../fields.ts";
import { jsonObject } from "../json.ts";

/** Senders that sign with a secret that they share with the receiver. */
export const PRESETS = [
  "github",
  "stripe",
  "shopify",
  "slack",
  "standard-webhooks",
  "zoom",
  "twitch",
  "square",
  "twilio",
  "adyen",
  "asana",
  "bitbucket",
  "box",
  "braintree",
  "calendly",
  "clerk",
  "coinbase",
  "contentful",
  "docusign",
  "dropbox",
  "hubspot",
  "intercom",
  "jira",
  "line",
  "linear",
  "mailgun",
  "mcp",
  "meta",
  "monday",
  "notion",
  "paddle",
  "pagerduty",
  "plivo",
  "razorpay",
  "recurly",
  "resend",
  "sentry",
  "svix",
  "trello",
  "typeform",
  "vercel",
  "woocommerce",
  "zendesk",
] as const;
export const presetName = z.enum(PRESETS).describe("A provider with a known signature scheme.");
export type PresetName = z.infer<typeof presetName>;

/** Senders that sign with a private key. */
export const KEY_PRESETS = [
  "app-store",
  "aws-sns",
  "discord",
  "paypal",
  "sendgrid",
  "standard-webhooks-v1a",
  "travis-ci",
] as const;
export const keyPresetName = z.enum(KEY_PRESETS).describe("A sender with a private key.");
export type KeyPresetName = z.infer<typeof keyPresetName>;

/** Senders that do not sign, but can send a token or a password. */
export const TOKEN_PRESETS = [
  "cloudevents",
  "event-grid",
  "figma",
  "gitlab",
  "microsoft-graph",
  "okta",
  "postmark",
  "telegram",
] as const;
export const tokenPresetName = z.enum(TOKEN_PRESETS).describe("A sender that does not sign.");
export type TokenPresetName = z.infer<typeof tokenPresetName>;

/** Where a token is, other than in a header. */
export const tokenSource = oneOf("query", "body", "basic");

export type SenderName = PresetName | KeyPresetName | TokenPresetName;

export const headerName = matching(
  /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/,
  "must be a header name",
).describe("The name of a header.");

/** A place in a request. */
export const place = closed({
  in: oneOf("header", "body").describe("The part of the request."),
  path: textUpTo(500).describe("The name of a header, or a path in dot notation."),
})
  .refine((where) => where.in === "body" || headerName.safeParse(where.path).success, {
    message: "must be a header name",
    path: ["path"],
  })
  .meta({ id: "FieldPlace", description: "A place in a request." });
export type FieldPlace = z.infer<typeof place>;

/**
 * The parts of a request that a template can contain. `body` carries the payload: the bytes on the wire,
 * or the query of a GET; `body.` and a path stand for a field of it. The templates of presets have further
 * parts.
 */
export const TEMPLATE_PARTS = [
  "id",
  "timestamp",
  "body",
  "url",
  "path",
  "method",
  "sortedParams",
  "sortedUrl",
  "headers",
  "headerNames",
] as const;

const header = headerName.describe("The header of the signature; with `in`, the path of a field.");
const form = oneOf("plain", "list", "items", "pairs", "jwt").describe(
  "The format of the header. `plain`: one signature after the prefix. `list`: several signatures with their versions, separated by spaces (`v1,<signature> v1,<signature>`). `items`: several values, separated by `,`, `;` or `&`: signatures, each alone or after a name and `|`, and a number that is the timestamp. `pairs`: key-value pairs, separated by commas or semicolons (`t=<timestamp>,v1=<signature>`), where the prefix names the pair of the signature. `jwt`: a JSON Web Token after the prefix, whose claim `bodyClaim` is the SHA-256 of the body.",
);
const prefix = z.string().max(50).describe("The text before the signature.");
const encoding = oneOf("hex", "base64").describe("The encoding of the signature.");
const algorithm = oneOf("sha1", "sha256", "sha384", "sha512").describe("The hash of the HMAC.");
const template = z
  .string()
  .max(500)
  .describe(
    "The template of the signed text, with `{body}`, `{timestamp}`, `{id}`, `{url}`, `{path}` (with the query), `{method}`, `{sortedParams}`, `{sortedUrl}` (the fields of query and form, sorted), and `{headers}` and `{headerNames}` of `signedHeaders`. `{body.<path>}` is a field of the body; a template with fields proves these fields alone. A form whose fields are not all signed is rejected.",
  );
const timestampHeader = headerName.describe("The header that holds the signed timestamp.");
const timestampPair = z.string().max(50).describe("The pair that holds the signed time.");
const idHeader = headerName.describe("The header that holds the signed id.");
const bodyClaim = textUpTo(100).describe(
  "For a JSON Web Token: the claim that holds the SHA-256 of the body, in hex or base64. Without it the token does not cover the body.",
);
const secretEncoding = oneOf("utf8", "base64", "hex", "whsec", "sha1").describe(
  "The encoding of the secret. `whsec` is base64 after `whsec_`. Without the prefix it is UTF-8; if the text is also base64 of 24 to 64 bytes, both keys are valid. `sha1`: the key is the SHA-1 of the text.",
);

const inBody = z
  .literal("body")
  .describe("`body`: the signature is in the body or form, and the headers are paths in it.");
const signedHeaders = closed({
  header: headerName.optional().describe("The header that lists the names."),
  pair: textUpTo(50).optional().describe("The pair that lists the names."),
  item: z
    .string()
    .max(50)
    .default("{name}:{value}")
    .describe("The text of a header in `{headers}`, with `{name}` in lower case and `{value}`."),
  separator: z.string().max(10).default("\n").describe("The text between two headers."),
}).describe(
  "The headers that a request says it signs. Names are separated by commas or spaces. A `timestampHeader` or `idHeader` that is not in the template must be among them.",
);

/**
 * The signature scheme of a sender: an HMAC over the template's text, in a header. One engine verifies
 * all schemes. `{sortedParams}` are a form's fields, sorted, with name and value joined; the query's
 * `bodySHA256` covers any other body (Twilio).
 */
export const signatureScheme = open({
  header,
  form,
  prefix,
  prefixOptional: z.boolean().describe("Whether the prefix of a plain signature is optional."),
  encoding,
  algorithm,
  template: z.string().max(1_000).describe("The template of the signed text."),
  timestampHeader: timestampHeader.nullable(),
  timestampPair: timestampPair.nullable(),
  idHeader: idHeader.nullable(),
  aliases: listOf(
    open({
      header,
      timestampHeader: timestampHeader.nullable(),
      idHeader: idHeader.nullable(),
    }),
  ).describe("Alternative names of the sender's headers."),
  furtherHeaders: listOf(header).optional().describe("Headers with signatures by further keys."),
  secretEncoding,
  in: inBody.optional(),
  signedHeaders: signedHeaders.optional(),
  alternatives: listOf(template).optional().describe("Other templates that the sender uses."),
  bodyClaim: bodyClaim.optional(),
});
export type SignatureScheme = z.infer<typeof signatureScheme>;

/** A custom scheme in the body of POST /webhooks, with defaults. */
export const customScheme = closed({
  header: header.default("X-Webhook-Signature"),
  form: form.default("plain"),
  prefix: prefix.optional(),
  encoding: encoding.default("hex"),
  algorithm: algorithm.default("sha256"),
  template: template.min(1).default("{body}"),
  timestampHeader: timestampHeader.optional(),
  timestampPair: timestampPair.optional(),
  idHeader: idHeader.optional(),
  in: inBody.optional(),
  signedHeaders: signedHeaders.optional(),
  secretEncoding: secretEncoding.default("utf8"),
  bodyClaim: bodyClaim.optional(),
});

/** What the schemes of shared secrets and of private keys have in common. */
export type SignedForm = Omit<SignatureScheme, "algorithm" | "secretEncoding">;

const KEY_ALGORITHMS = [
  "ed25519",
  "ecdsa-p256-sha256",
  "rsa-sha256",
  "rsa-sha512",
  "rsa-sha1",
] as const;
const issuer = textUpTo(500).describe("The required `iss` of the token.");
const maxAgeSeconds = whole(1, 86_400).describe("Its maximum age by `iat`, in seconds.");

const jwksUrl = z
  .url({ protocol: /^https$/, error: "must be an https URL" })
  .max(1_000)
  .describe("The address of the sender's JWKS. It is kept for an hour, or until a key is unknown.");
const oid = z.string().regex(/^[0-2](?:\.\d{1,20}){1,20}$/, "must be an object identifier");
const tokenIn = z
  .literal("body")
  .describe("`body`: `header` is a path in the payload, which the token's claims replace.");

const certificates = closed({
  leaf: oid.optional().describe("An extension that the certificate of the key must have."),
  issuer: oid.optional().describe("An extension that the certificate of its issuer must have."),
}).describe("The token has its key's certificates in `x5c`, and `publicKey` is their root.");
export type CertificateRules = z.infer<typeof certificates>;

export const jwtScheme = open({
  algorithm: z.literal("jwt"),
  in: tokenIn.optional(),
  header,
  prefix,
  bodyClaim: bodyClaim.optional(),
  issuer: issuer.optional(),
  jwksUrl: jwksUrl.optional(),
  certificates: certificates.optional(),
  maxAgeSeconds: maxAgeSeconds.nullable(),
});
export type JwtScheme = z.infer<typeof jwtScheme>;

/** HTTP Message Signatures (RFC 9421), which earlier versions stored: no request passes them any more. */
const messageScheme = open({ algorithm: z.literal("http-message-signatures") });

const keyScheme = signatureScheme.omit({ algorithm: true, secretEncoding: true }).extend({
  algorithm: z.enum(KEY_ALGORITHMS),
  /** Whether the sender may use SHA-1 instead (older topics of Amazon SNS). */
  orSha1: z.literal(true).optional(),
});
export type KeyScheme = z.infer<typeof keyScheme>;

/** The signature scheme of a sender with a private key. */
export const publicKeyScheme = z.discriminatedUnion("algorithm", [
  keyScheme,
  jwtScheme,
  messageScheme,
]);
export type PublicKeyScheme = z.infer<typeof publicKeyScheme>;

/** A custom scheme with a public key, as the API shows it. */
export const shownKeyScheme = {
  ...jwtScheme.partial().shape,
  ...keyScheme.partial().shape,
  algorithm: oneOf(...KEY_ALGORITHMS, "jwt", "http-message-signatures").optional(),
};

/** A custom scheme with a public key in the body of POST /webhooks, with defaults. */
export const customKeyScheme = {
  signed: {
    ...customScheme.omit({ secretEncoding: true, bodyClaim: true }).shape,
    algorithm: z.enum(KEY_ALGORITHMS).describe("The algorithm of the signature."),
    form: form.exclude(["jwt"]).default("plain").describe("The format of the header, not a token."),
  },
  jwt: {
    ...jwtScheme.shape,
    algorithm: z.literal("jwt").describe("A JSON Web Token in a header, or in the body."),
    header: header.default("Authorization"),
    prefix: prefix.optional(),
    maxAgeSeconds: maxAgeSeconds
      .nullable()
      .default(300)
      .describe("The maximum age of the token in seconds, by its `iat`; null for one without it."),
  },
};

const places = listOf(place);

/** A preset as the API lists it. */
export const webhookPreset = open({
  preset: oneOf(...PRESETS, ...KEY_PRESETS, ...TOKEN_PRESETS).describe("The preset."),
  name: z.string().describe("The name of the sender."),
  method: oneOf("hmac", "signature", "token").describe("The setting of `auth` that takes it."),
  auth: jsonObject.describe("The `auth` of an endpoint for this sender, without its secrets."),
  eventId: places.describe("Where the event's id is, tried in order; empty if there is none."),
  eventType: places.describe("Where the event's type is, tried in order."),
  split: open({ path: z.string().describe("The path of the list.") })
    .nullable()
    .describe("The `split` of an endpoint for this sender if it batches events, or null."),
  replayProtection: z.string().describe("How old a request may be, unless the endpoint says."),
  handshake: z.string().nullable().describe("How the sender checks the address, or null."),
  limits: z.string().nullable().describe("What its requests cannot prove, or do not say."),
  documentation: z.string().describe("The sender's documentation of its webhooks."),
  sample: open({
    headers: z.record(z.string(), z.string()).describe("Headers of the event."),
    body: jsonObject.describe("The payload, with `{{id}}` and, in epoch seconds, `{{now}}`."),
    form: z.boolean().describe("Whether the payload is sent as a form."),
  }).describe("A request of this sender, without its signature."),
}).meta({ id: "WebhookPreset" });
export type WebhookPreset = z.infer<typeof webhookPreset>;

export const webhookPresets = open({
  presets: listOf(webhookPreset).describe("All presets."),
  nextCursor: z.null().describe("Always null: the list has one page."),
}).meta({ id: "WebhookPresets" });

/** Returns what fills the placeholders of a sample: an event id, and the time `now` in epoch milliseconds. */
export function sampleFiller(id: string, now: number): (text: string) => string {
  const seconds = String(Math.floor(now / 1_000));
  return (text) => text.replaceAll("{{id}}", id).replaceAll("{{now}}", seconds);
}

/** Returns a new id for the event of a sample. */
export const freshEventId = (): string => `test-${crypto.randomUUID().slice(0, 8)}`;
