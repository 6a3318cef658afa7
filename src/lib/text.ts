const PREVIEW_CHARACTERS = 200;

/** The first 200 characters of a text, whole code points, with an ellipsis where it was cut. */
export function preview(text: string): string {
  const points = [...text.slice(0, PREVIEW_CHARACTERS * 2)];
  if (points.length <= PREVIEW_CHARACTERS) return text;
  return `${points.slice(0, PREVIEW_CHARACTERS - 1).join("")}…`;
}

const SHOWN_FROM_LENGTH = 16;

/** The last four characters of a secret, where what is left of it cannot be guessed; else nothing. */
export function last4(secret: string): string {
  return secret.length < SHOWN_FROM_LENGTH ? "" : secret.slice(-4);
}
