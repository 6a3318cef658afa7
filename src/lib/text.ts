const PREVIEW_CHARACTERS = 200;

/** Returns the first 200 characters of a text, in whole code points, with an ellipsis if it was longer. */
export function preview(text: string): string {
  const points = [...text.slice(0, PREVIEW_CHARACTERS * 2)];
  if (points.length <= PREVIEW_CHARACTERS) return text;
  return `${points.slice(0, PREVIEW_CHARACTERS - 1).join("")}…`;
}

/** Counts things of a regular plural: "1 row", "2 rows". */
export function counted(count: number, noun: string): string {
  return count === 1 ? `1 ${noun}` : `${count} ${noun}s`;
}

const SHOWN_FROM_LENGTH = 12;

/** Returns the last four characters of a secret, or nothing if the others could then be guessed. */
export function last4(secret: string): string {
  return secret.length < SHOWN_FROM_LENGTH ? "" : secret.slice(-4);
}

const KIB = 1_024;
const MIB = KIB * KIB;

/** Returns a limit in bytes as people read it: "480 KiB", "2 MiB". */
export function binarySize(bytes: number): string {
  return bytes >= MIB ? `${bytes / MIB} MiB` : `${bytes / KIB} KiB`;
}
