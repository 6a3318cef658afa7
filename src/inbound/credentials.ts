import { equalInConstantTime } from "../lib/secrets.ts";
import type { OpenSecret } from "./types.ts";

/** The values of a secret that are valid now, the current one first. */
export function validValues({ current, previous }: OpenSecret, now: number): string[] {
  return previous !== null && now < previous.validUntil ? [current, previous.value] : [current];
}

/** Whether any of the texts is any of the secrets. All are compared, in constant time. */
export async function matchesAny(given: string[], secrets: string[]): Promise<boolean> {
  const pairs = given.flatMap((text) => secrets.map((secret) => equalInConstantTime(text, secret)));
  return (await Promise.all(pairs)).includes(true);
}
