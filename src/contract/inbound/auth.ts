import * as z from "zod";
import { closed, shownSecret } from "../fields.ts";
import { customScheme, headerName, presetName, signatureScheme } from "./signature.ts";

/** A secret of any strength, since most senders choose it themselves. */
export const chosenSecret = z
  .string()
  .min(1)
  .max(512)
  .describe(
    "The secret. If left out, the stored one is kept. Without one, a secret is generated and included in this response only.",
  );

/** The authentication in a body. A secret that is left out is kept or generated. */
export const authBody = closed({
  token: closed({
    header: headerName
      .optional()
      .describe(
        "The header that holds the token. Defaults to `X-Webhook-Token` or `Authorization: Bearer`.",
      ),
    secret: chosenSecret.optional(),
  })
    .nullable()
    .optional()
    .describe("A token in a header."),
  hmac: z
    .union([
      closed({ preset: presetName, secret: chosenSecret.optional() }).meta({
        id: "PresetSignature",
        description: "The signature scheme of a known provider.",
      }),
      closed({
        preset: z.never().optional(),
        ...customScheme.shape,
        secret: chosenSecret.optional(),
      }).meta({ id: "CustomSignature", description: "A custom HMAC signature scheme." }),
    ])
    .nullable()
    .optional()
    .describe("A signature over the raw body."),
  ipAllowlist: z
    .array(z.string().min(2).max(50))
    .min(1)
    .max(1_000)
    .nullable()
    .optional()
    .describe("The IPv4 and IPv6 addresses and CIDR ranges of allowed senders."),
  headers: z
    .array(
      closed({
        name: headerName,
        value: z
          .string()
          .min(1)
          .max(1_000)
          .nullable()
          .optional()
          .describe(
            "The required value, which is not shown again; null for any value. If left out, a stored value is kept.",
          ),
      }),
    )
    .max(20)
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
export const shownAuth = z
  .object({
    token: z
      .object({
        header: z.string().describe("The header that holds the token."),
        secret: rotatedSecret,
      })
      .optional()
      .describe("A token in a header."),
    hmac: z
      .object({ preset: presetName.optional(), secret: rotatedSecret })
      .extend(signatureScheme.partial().shape)
      .optional()
      .describe("A signature over the raw body: a preset or a custom scheme."),
    ipAllowlist: z
      .array(z.string())
      .optional()
      .describe("The IP addresses and ranges of allowed senders."),
    headers: z
      .array(z.object({ name: headerName, value: shownSecret.optional() }))
      .optional()
      .describe("The headers that requests must have. Without `value`, any value passes."),
  })
  .meta({ id: "EndpointAuth", description: "The authentication of senders." });
