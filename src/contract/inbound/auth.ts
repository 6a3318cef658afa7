import * as z from "zod";
import { closed, shownSecret } from "../fields.ts";
import { customScheme, headerName, presetName, signatureScheme } from "./signature.ts";

/** Most senders choose it themselves, so how good it is is theirs to say. */
export const chosenSecret = z
  .string()
  .min(1)
  .max(512)
  .describe("Made, and shown once in the answer, where it is left out and there is none yet.");

/** What a request must bring with it, in a body. A secret that is left out is kept or made. */
export const authBody = closed({
  token: closed({
    header: headerName
      .optional()
      .describe("Where it is looked for: `X-Webhook-Token` or `Authorization: Bearer` by default."),
    secret: chosenSecret.optional(),
  })
    .nullable()
    .optional()
    .describe("A token in a header."),
  hmac: z
    .union([
      closed({ preset: presetName, secret: chosenSecret.optional() }).meta({
        id: "PresetSignature",
        description: "As a known provider signs.",
      }),
      closed({
        preset: z.never().optional(),
        ...customScheme.shape,
        secret: chosenSecret.optional(),
      }).meta({ id: "CustomSignature", description: "As any other sender signs by HMAC." }),
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
    .describe("IPv4 and IPv6 addresses and CIDR ranges that requests may come from."),
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
            "The value it must have, never shown again; null for any. One that is left out stays as it is, else any will do.",
          ),
      }),
    )
    .max(20)
    .optional()
    .describe("Headers that a request must have."),
}).meta({ id: "EndpointAuthDraft", description: "All that is set must pass." });

const rotatedSecret = shownSecret
  .extend({
    previousValidUntil: z.iso
      .datetime({ precision: 3 })
      .optional()
      .describe("Until when the secret before it is valid too."),
  })
  .meta({ id: "RotatedSecret" });

/** The same as the API shows it. */
export const shownAuth = z
  .object({
    token: z
      .object({ header: z.string().describe("Where it is looked for."), secret: rotatedSecret })
      .optional()
      .describe("A token in a header."),
    hmac: z
      .object({ preset: presetName.optional(), secret: rotatedSecret })
      .extend(signatureScheme.partial().shape)
      .optional()
      .describe("A signature over the raw body: the preset, or the scheme."),
    ipAllowlist: z
      .array(z.string())
      .optional()
      .describe("Addresses and ranges that requests may come from."),
    headers: z
      .array(z.object({ name: headerName, value: shownSecret.optional() }))
      .optional()
      .describe("Headers that a request must have; with no value, any."),
  })
  .meta({ id: "EndpointAuth", description: "What a request must bring with it." });
