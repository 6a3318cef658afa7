const SHOWN_FROM_LENGTH = 16;

/** The last four characters of a secret, where what is left of it cannot be guessed; else nothing. */
export function last4(secret: string): string {
  return secret.length < SHOWN_FROM_LENGTH ? "" : secret.slice(-4);
}
