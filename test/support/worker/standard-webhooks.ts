import { Webhook } from "standardwebhooks";
import type { Letter } from "./mailboxes.ts";

/** Returns the body of a letter once the official library of Standard Webhooks has verified it. */
export function verifySignature(secret: string, letter: Letter | undefined): unknown {
  if (letter === undefined) throw new Error("nothing came");
  return new Webhook(secret, { format: "raw" }).verify(letter.body, letter.headers);
}
