import * as z from "zod";
import { closed } from "../fields.ts";

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
] as const;
export const presetName = z.enum(PRESETS).describe("A provider with a known signature scheme.");
export type PresetName = z.infer<typeof presetName>;

export const headerName = z
  .string()
  .regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/, "must be a header name")
  .describe("The name of a header.");

/** A place in a request. */
export const place = closed({
  in: z.enum(["header", "body"]).describe("The part of the request."),
  path: z.string().min(1).max(500).describe("The name of a header, or a path in dot notation."),
})
  .refine((where) => where.in === "body" || headerName.safeParse(where.path).success, {
    message: "must be a header name",
    path: ["path"],
  })
  .meta({ id: "Place", description: "A place in a request." });
export type Place = z.infer<typeof place>;

/**
 * The parts of a request that a template can contain. `body` carries the payload: the bytes on the wire,
 * or the query of a GET.
 */
export const TEMPLATE_PARTS = ["id", "timestamp", "body", "url", "sortedParams"] as const;

const header = headerName.describe("The header that holds the signature.");
const form = z
  .enum(["plain", "list", "pairs"])
  .describe(
    "The format of the header. `plain`: one signature after the prefix. `list`: several signatures with their versions, separated by spaces (`v1,<signature> v1,<signature>`). `pairs`: key-value pairs, separated by commas or semicolons (`t=<timestamp>,v1=<signature>`), where the prefix names the pair of the signature.",
  );
const prefix = z.string().max(50).describe("The text before the signature.");
const encoding = z.enum(["hex", "base64"]).describe("The encoding of the signature.");
const algorithm = z
  .enum(["sha1", "sha256", "sha384", "sha512"])
  .describe("The hash algorithm of the HMAC.");
const template = z
  .string()
  .max(500)
  .describe(
    "The template of the signed text, with `{body}`, `{timestamp}`, `{id}`, `{url}` and `{sortedParams}`.",
  );
const timestampHeader = headerName.describe("The header that holds the signed timestamp.");
const timestampPair = z
  .string()
  .max(50)
  .describe("For `pairs`: the pair that holds the signed timestamp.");
const idHeader = headerName.describe("The header that holds the signed id.");
const secretEncoding = z
  .enum(["utf8", "base64", "hex", "whsec"])
  .describe(
    "The encoding of the secret. `whsec` is base64 after `whsec_`. Without the prefix it is UTF-8; if the text is also base64 of 24 to 64 bytes, both keys are valid.",
  );

/**
 * The signature scheme of a sender: an HMAC over the template's text, in a header. One engine verifies
 * all schemes. `{sortedParams}` are a form's fields, sorted, with name and value joined; the query's
 * `bodySHA256` covers any other body (Twilio).
 */
export const signatureScheme = z.object({
  header,
  form,
  prefix,
  prefixOptional: z.boolean().describe("Whether the prefix of a plain signature is optional."),
  encoding,
  algorithm,
  template,
  timestampHeader: timestampHeader.nullable(),
  timestampPair: timestampPair.nullable(),
  idHeader: idHeader.nullable(),
  aliases: z
    .array(
      z.object({
        header,
        timestampHeader: timestampHeader.nullable(),
        idHeader: idHeader.nullable(),
      }),
    )
    .describe("Alternative names of the sender's headers."),
  secretEncoding,
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
  secretEncoding: secretEncoding.default("utf8"),
});
