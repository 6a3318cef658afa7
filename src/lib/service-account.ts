import * as z from "zod";
import { jsonOrNull } from "./json-values.ts";

const PEM = /^-----BEGIN PRIVATE KEY-----[A-Za-z0-9+/=\s]+-----END PRIVATE KEY-----\s*$/;
const NO_PEM = "must be a private key in PEM (PKCS #8)";

const account = z.object(
  {
    client_email: z.email("must be an e-mail address"),
    private_key: z.string(NO_PEM).regex(PEM, NO_PEM),
    token_uri: z.url({ protocol: /^https?$/, error: "must be an http:// or https:// address" }),
  },
  "must be the JSON key of a service account",
);

/** A Google service account, as in the JSON key file of its console. */
export type ServiceAccount = z.infer<typeof account>;

/** Parses such a key from its JSON text. Messages never quote the key, as those of the JSON parser would. */
export const serviceAccount = z.string().transform(jsonOrNull).pipe(account);
