import * as z from "zod";
import { closed } from "../closed.ts";

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
export const presetName = z.enum(PRESETS);
export type PresetName = z.infer<typeof presetName>;

const headerName = z
  .string()
  .regex(/^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/, "must be the name of a header");

/** A place in a request. */
export const place = closed({
  in: z.enum(["header", "body"]),
  path: z.string().min(1).max(500),
}).refine((where) => where.in === "body" || headerName.safeParse(where.path).success, {
  message: "must be the name of a header",
  path: ["path"],
});
export type Place = z.infer<typeof place>;

/**
 * The parts of a request that a template can put together. `body` is what carries the payload: the
 * bytes on the wire, and the query of a GET.
 */
export const TEMPLATE_PARTS = ["id", "timestamp", "body", "url", "sortedParams"] as const;

/**
 * How a sender signs: HMAC over the template's text, under a header. One engine reads them all.
 * `{sortedParams}` are a form's fields, sorted, name and value joined; any other body is covered by
 * its hash, as `bodySHA256` in the query (Twilio).
 */
export const signatureScheme = z.object({
  header: headerName,
  /**
   * How the header holds its signatures: `plain` is one, after the prefix; `list` is several with
   * their version, split at spaces (`v1,<signature> v1,<signature>`); `pairs` is split at commas
   * (`t=<timestamp>,v1=<signature>`), where the prefix names the pair.
   */
  form: z.enum(["plain", "list", "pairs"]),
  prefix: z.string().max(50),
  /** Whether a plain signature may come without its prefix. */
  prefixOptional: z.boolean(),
  encoding: z.enum(["hex", "base64"]),
  algorithm: z.enum(["sha1", "sha256", "sha384", "sha512"]),
  template: z.string().max(500),
  timestampHeader: headerName.nullable(),
  /** For `pairs`: the pair that holds the timestamp. */
  timestampPair: z.string().max(50).nullable(),
  idHeader: headerName.nullable(),
  /** Other names under which the same sender may send its headers. */
  aliases: z.array(
    z.object({
      header: headerName,
      timestampHeader: headerName.nullable(),
      idHeader: headerName.nullable(),
    }),
  ),
  /** How the secret's text becomes key bytes: `whsec` is base64 after `whsec_`, else UTF-8. */
  secretEncoding: z.enum(["utf8", "base64", "hex", "whsec"]),
});
export type SignatureScheme = z.infer<typeof signatureScheme>;

/** A scheme of the caller's own, in the body of POST /webhooks: what is left out has the default. */
export const customScheme = closed({
  header: headerName.default("X-Webhook-Signature"),
  form: z.enum(["plain", "list", "pairs"]).default("plain"),
  prefix: z.string().max(50).optional(),
  encoding: z.enum(["hex", "base64"]).default("hex"),
  algorithm: z.enum(["sha1", "sha256", "sha384", "sha512"]).default("sha256"),
  template: z.string().min(1).max(500).default("{body}"),
  timestampHeader: headerName.optional(),
  timestampPair: z.string().max(50).optional(),
  idHeader: headerName.optional(),
  secretEncoding: z.enum(["utf8", "base64", "hex", "whsec"]).default("utf8"),
});
export { headerName };
