const encoder = new TextEncoder();

/**
 * Whether two texts are equal, in a time that tells nothing about either: both are hashed first, so
 * that neither the place of a difference nor the length shows.
 */
export async function equalInConstantTime(left: string, right: string): Promise<boolean> {
  const [a, b] = await Promise.all([digest(left), digest(right)]);
  return sameBytes(a, b);
}

/** Whether two byte strings are equal, in a time that tells only whether their lengths are. */
export function sameBytes(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  let difference = 0;
  for (let at = 0; at < left.length; at += 1) difference |= (left[at] ?? 0) ^ (right[at] ?? 0);
  return difference === 0;
}

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(text)));
}
