import { generateKeyPairSync, type KeyObject } from "node:crypto";

/** Key pairs of a sender, made once: that of an RSA key takes long. */
export const ED25519 = generateKeyPairSync("ed25519");
export const P256 = generateKeyPairSync("ec", { namedCurve: "P-256" });
export const RSA = generateKeyPairSync("rsa", { modulusLength: 2_048 });

interface Pair {
  publicKey: KeyObject;
}

/** Returns the public key of a pair as PEM. */
export const pemOfPair = ({ publicKey }: Pair): string =>
  publicKey.export({ type: "spki", format: "pem" }).toString();

/** Returns the public key of a pair as DER. */
export const derOfPair = ({ publicKey }: Pair): Buffer =>
  publicKey.export({ type: "spki", format: "der" });
