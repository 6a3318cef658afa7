import * as z from "zod";
import { closed, exactlyOne, listOf, oneOf, open } from "../fields.ts";
import { customScheme, headerName, presetName, tokenPresetName, tokenSource } from "./signature.ts";

/** Why a request is not authenticated. */
const cause = oneOf(
  "header_missing",
  "header_empty",
  "header_name",
  "not_a_signature",
  "algorithm",
  "encoding",
  "prefix",
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
  "body_missing",
  "body_unsigned",
  "key_unknown",
  "audience",
  "unknown",
);
export type Cause = z.infer<typeof cause>;

/** How the stored secret has to be edited; it is never shown. */
export const secretEdit = oneOf(
  "trim",
  "unquote",
  "without_name",
  "without_whsec",
  "with_whsec",
  "hex_digits",
).describe(
  "How to edit the secret before it is saved again. `trim` and `unquote` remove white space and quotes around it, `without_name` removes `NAME=` before it, `hex_digits` all but the digits of hex, `without_whsec` and `with_whsec` remove and add the prefix `whsec_`.",
);
export type SecretEdit = z.infer<typeof secretEdit>;

/** A change of one method of an endpoint's `auth`, as a diagnosis advises it and as PATCH takes it. */
export const adviceChange = closed({
  hmac: z
    .union([closed({ preset: presetName }), customScheme])
    .exactOptional()
    .describe("The new `auth.hmac`. The stored secret is kept."),
  token: closed({
    preset: tokenPresetName.exactOptional(),
    header: headerName.exactOptional(),
    in: tokenSource.exactOptional(),
    name: z.string().exactOptional(),
  })
    .exactOptional()
    .describe("The new `auth.token`. The stored secret is kept."),
  secret: secretEdit.nullable().default(null),
}).apply(exactlyOne(["hmac", "token"], "must have either `hmac` or `token`"));
export type AdviceChange = z.infer<typeof adviceChange>;

/** Why a request is not authenticated, for programs. */
export const advice = open({
  causes: listOf(cause).describe("The causes, in the order of `diagnosis`."),
  change: adviceChange
    .nullable()
    .describe("A change that authenticates this request; null if only the sender can mend it."),
}).meta({ id: "SignatureAdvice" });
export type Advice = z.infer<typeof advice>;

/** Advice as the log stores it. That of earlier versions with other causes or changes is left out. */
export const storedAdvice = advice.nullable().default(null).catch(null);
