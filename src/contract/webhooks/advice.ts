import * as z from "zod";
import { closed } from "../fields.ts";
import {
  customScheme,
  headerName,
  presetName,
  signatureScheme,
  tokenPresetName,
  tokenSource,
} from "./signature.ts";

/** Why a request is not authenticated. */
const CAUSES = [
  "header_missing",
  "header_empty",
  "header_name",
  "not_a_signature",
  "algorithm",
  "encoding",
  "encoded_twice",
  "prefix",
  "plain_hash",
  "swapped",
  "other_sender",
  "template",
  "signed_values",
  "timestamp_missing",
  "timestamp_unit",
  "id_missing",
  "secret_encoding",
  "secret_whitespace",
  "secret_quotes",
  "secret_empty",
  "secret_previous",
  "secret_of_api",
  "secret_variable",
  "secret_cut",
  "secret_of_endpoint",
  "token_missing",
  "token_place",
  "body_json",
  "body_line_breaks",
  "body_form",
  "body_missing",
  "body_unsigned",
  "key_unknown",
  "audience",
  "url",
  "unknown",
] as const;
const cause = z.enum(CAUSES);
export type Cause = z.infer<typeof cause>;

/** How the stored secret has to be edited; it is never shown. */
export const secretEdit = z
  .enum([
    "trim",
    "unquote",
    "without_name",
    "without_whsec",
    "with_whsec",
    "hex_digits",
    "line_break",
    "line_break_before",
    "crlf",
    "space",
    "quote",
  ])
  .describe(
    "How to edit the secret before it is saved again. `trim` and `unquote` remove white space and quotes around it, `without_name` removes `NAME=` before it, `hex_digits` all but the digits of hex, `without_whsec` and `with_whsec` remove and add the prefix `whsec_`; `line_break`, `crlf` and `space` add one at its end, `line_break_before` before it, `quote` adds quotes around it.",
  );
export type SecretEdit = z.infer<typeof secretEdit>;

const changedScheme = signatureScheme
  .pick({
    header: true,
    form: true,
    prefix: true,
    encoding: true,
    algorithm: true,
    template: true,
    secretEncoding: true,
  })
  .extend({
    timestampHeader: signatureScheme.shape.timestampHeader.unwrap().optional(),
    timestampPair: signatureScheme.shape.timestampPair.unwrap().optional(),
    idHeader: signatureScheme.shape.idHeader.unwrap().optional(),
    in: signatureScheme.shape.in,
    signedHeaders: signatureScheme.shape.signedHeaders,
    bodyClaim: signatureScheme.shape.bodyClaim,
  });

const changedToken = z.object({
  preset: tokenPresetName.exactOptional(),
  header: headerName.exactOptional(),
  in: tokenSource.exactOptional(),
  name: z.string().exactOptional(),
});

const NEW_TOKEN = "The new `auth.token`. Without a secret in it, the stored one is kept.";
const NEW_HMAC = "The new `auth.hmac`. Without a secret in it, the stored one is kept.";

/** A change of one method of an endpoint's `auth`. */
const adviceChange = z.object({
  hmac: z
    .union([z.object({ preset: presetName }), changedScheme])
    .exactOptional()
    .describe(NEW_HMAC),
  token: changedToken.exactOptional().describe(NEW_TOKEN),
  secret: secretEdit.nullable(),
});
export type AdviceChange = z.infer<typeof adviceChange>;

/** The same in a body. */
export const adviceChangeBody = closed({
  hmac: z
    .union([closed({ preset: presetName }), customScheme])
    .exactOptional()
    .describe(NEW_HMAC),
  token: closed(changedToken.shape).exactOptional().describe(NEW_TOKEN),
  secret: secretEdit.nullable().default(null),
})
  .refine(
    ({ hmac, token }) => (hmac === undefined) !== (token === undefined),
    "must have either `hmac` or `token`",
  )
  .meta({ id: "AdviceChangeDraft" });
export type AdviceChangeBody = z.infer<typeof adviceChangeBody>;

/** Why a request is not authenticated, for programs. */
export const advice = z
  .object({
    causes: z.array(cause).describe("The causes, in the order of `diagnosis`."),
    change: adviceChange
      .nullable()
      .describe(
        "A change of the endpoint under which this request is authenticated; null if only the sender can mend it.",
      ),
  })
  .meta({ id: "SignatureAdvice" });
export type Advice = z.infer<typeof advice>;

/** Advice as the log stores it. That of earlier versions with other causes or changes is left out. */
export const storedAdvice = advice
  .nullable()
  .refine((found) => !found?.change || "hmac" in found.change || "token" in found.change)
  .default(null)
  .catch(null);
