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

/** A Google service account, as the JSON key that its console hands out. */
export type ServiceAccount = z.infer<typeof account>;

/** Reads such a key from its JSON text. What is wrong with it is told without any of it. */
export const serviceAccount = z
  .string()
  .transform((text, context) => {
    try {
      const value: unknown = JSON.parse(text);
      return value;
    } catch {
      // The error of the parser quotes the text, and so the key.
      context.addIssue({ code: "custom", message: "must be the JSON key of a service account" });
      return z.NEVER;
    }
  })
  .pipe(account);
