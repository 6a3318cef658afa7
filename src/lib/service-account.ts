import * as z from "zod";

const account = z.object({
  client_email: z.email(),
  private_key: z
    .string()
    .regex(
      /^-----BEGIN PRIVATE KEY-----[A-Za-z0-9+/=\s]+-----END PRIVATE KEY-----\s*$/,
      "must be a private key in PEM (PKCS #8)",
    ),
  token_uri: z.url({ protocol: /^https?$/ }),
});

/** A Google service account, as in the JSON key file of its console. */
export type ServiceAccount = z.infer<typeof account>;

/** Parses such a key from its JSON text. Messages never quote the key. */
export const serviceAccount = z
  .string()
  .transform((text, context) => {
    try {
      const value: unknown = JSON.parse(text);
      return value;
    } catch {
      // The parser's error quotes the text, and so the key.
      context.addIssue({ code: "custom", message: "must be the JSON key of a service account" });
      return z.NEVER;
    }
  })
  .pipe(account);
