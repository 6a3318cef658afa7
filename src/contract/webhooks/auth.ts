import * as z from "zod";
import { closed, listOf, oneOf, open, shownSecret, textUpTo } from "../fields.ts";
import {
  customKeyScheme,
  customScheme,
  headerName,
  KEY_PRESETS,
  keyPresetName,
  PRESETS,
  presetName,
  shownKeyScheme,
  signatureScheme,
  TOKEN_PRESETS,
  tokenPresetName,
  tokenSource,
} from "./signature.ts";

/** A secret of any strength, since most senders choose it themselves. */
export const chosenSecret = textUpTo(512).describe(
  "The secret. If left out, the stored one is kept. Without one, a secret is generated and included in this response only.",
);

/** The presets that each method takes. */
const PRESETS_OF: Record<string, readonly string[]> = {
  hmac: PRESETS,
  signature: KEY_PRESETS,
  token: TOKEN_PRESETS,
};
const setting = open({ preset: z.string() });

/** Says what is wrong with a preset, or with a scheme that is none of the known ones. */
function presetText(method: "hmac" | "signature", given: unknown): string | undefined {
  const named = setting.safeParse(given);
  if (!named.success) {
    return method === "hmac"
      ? undefined
      : "must have a preset, or an algorithm (ed25519, ecdsa-p256-sha256, rsa-sha256 or jwt) and its publicKey";
  }
  const { preset } = named.data;
  const [other] = Object.entries(PRESETS_OF).find(([, names]) => names.includes(preset)) ?? [];
  if (other === method) return undefined;
  return other === undefined
    ? `has the unknown preset ${preset.slice(0, 50)}. GET /api/v1/webhook-presets lists the known ones.`
    : `has the preset ${preset}, which belongs in auth.${other}`;
}

const tokenName = textUpTo(200).describe("The query parameter, or the path in the payload.");

const publicKey = textUpTo(10_000).describe(
  "The public key: PEM, a certificate, a JWK or JWKS, hex, or base64, with or without `whpk_`.",
);
const audience = textUpTo(500).describe("The webhook's id, the topic's ARN, or the token's `aud`.");

/** The authentication in a body. A secret that is left out is kept or generated. */
export const authBody = closed({
  token: closed({
    preset: tokenPresetName.optional(),
    header: headerName
      .optional()
      .describe("Its header. Defaults to `X-Webhook-Token` or `Authorization: Bearer`."),
    in: oneOf("header", ...tokenSource.options)
      .optional()
      .describe("Where it is. `basic`: Basic authentication, with `user:password` as the secret."),
    name: tokenName.optional(),
    secret: chosenSecret.optional(),
  })
    .nullish()
    .describe("A token, or a user name and a password."),
  hmac: z
    .union(
      [
        closed({ preset: presetName, secret: chosenSecret.optional() }).meta({
          id: "PresetSignature",
          description: "The signature scheme of a known provider.",
        }),
        closed({
          preset: z.never().optional(),
          ...customScheme.shape,
          secret: chosenSecret.optional(),
        }).meta({ id: "CustomSignature", description: "A custom HMAC signature scheme." }),
      ],
      { error: (issue) => presetText("hmac", issue.input) },
    )
    .nullish()
    .describe("A signature over the raw body."),
  signature: z
    .union(
      [
        closed({
          preset: keyPresetName,
          publicKey: publicKey.optional(),
          audience: audience.optional(),
        }).meta({ id: "KeyPreset", description: "The public key of a known provider." }),
        closed({ ...customKeyScheme.signed, publicKey }).meta({ id: "KeySignature" }),
        closed({
          ...customKeyScheme.jwt,
          publicKey: publicKey.optional().describe("The key, a JWK or a JWKS; not with `jwksUrl`."),
          audience: audience.optional(),
        }).meta({ id: "JwtSignature" }),
      ],
      { error: (issue) => presetText("signature", issue.input) },
    )
    .nullish()
    .describe("A signature with a private key."),
  ipAllowlist: listOf(z.string().min(2).max(50), 1_000, 1)
    .nullish()
    .describe(
      "The IPv4 and IPv6 addresses and CIDR ranges of allowed senders, compared with the address that Cloudflare reports (under `npm start`, the peer of the socket: `127.0.0.1`).",
    ),
  headers: listOf(
    closed({
      name: headerName,
      value: textUpTo(1_000)
        .nullish()
        .describe("The required value, or null for any. A value that is left out is kept."),
    }),
    20,
  )
    .optional()
    .describe("The headers that requests must have."),
}).meta({
  id: "EndpointAuthDraft",
  description: "The authentication of senders. Every method that is set must pass.",
});

const rotatedSecret = shownSecret
  .extend({
    previousValidUntil: z.iso
      .datetime({ precision: 3 })
      .optional()
      .describe("When the previous secret stops being valid."),
  })
  .meta({ id: "RotatedSecret" });

/** The authentication as the API shows it. */
export const shownAuth = open({
  token: open({
    preset: tokenPresetName.optional(),
    header: z.string().optional().describe("The header that holds the token."),
    in: tokenSource.optional().describe("The part of the request that holds the token."),
    name: tokenName.optional(),
    secret: rotatedSecret,
  })
    .optional()
    .describe("A token, or a user name and a password."),
  hmac: open({ preset: presetName.optional(), secret: rotatedSecret })
    .extend(signatureScheme.partial().shape)
    .optional()
    .describe("A signature over the raw body: a preset or a custom scheme."),
  signature: open({
    preset: keyPresetName.optional(),
    publicKey: publicKey.optional(),
    audience: audience.optional(),
  })
    .extend(shownKeyScheme)
    .optional()
    .describe("A signature with a private key: a preset or a custom scheme."),
  ipAllowlist: listOf(z.string()).optional().describe("The addresses of allowed senders."),
  headers: listOf(open({ name: headerName, value: shownSecret.optional() }))
    .optional()
    .describe("The headers that requests must have. Without `value`, any value passes."),
}).meta({ id: "EndpointAuth", description: "The authentication of senders." });
