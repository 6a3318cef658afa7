import { fromBase64, toBase64Url } from "../../lib/encoding.ts";
import type { ServiceAccount } from "../../lib/service-account.ts";

/** Google refuses assertions that hold longer. */
const LIFETIME_SECONDS = 3_600;

const ALGORITHM = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };

/**
 * A JWT by which the account asks for an access token (RFC 7523 §2.1), signed with RS256; null when
 * its private key is none.
 */
export async function assertionOf(
  account: ServiceAccount,
  { scope, now }: { scope: string; now: number },
): Promise<string | null> {
  const key = await privateKey(account.private_key);
  if (key === null) return null;
  const iat = Math.floor(now / 1_000);
  const claims = {
    iss: account.client_email,
    scope,
    aud: account.token_uri,
    iat,
    exp: iat + LIFETIME_SECONDS,
  };
  const signed = `${encoded({ alg: "RS256", typ: "JWT" })}.${encoded(claims)}`;
  const signature = await crypto.subtle.sign(ALGORITHM, key, new TextEncoder().encode(signed));
  return `${signed}.${toBase64Url(new Uint8Array(signature))}`;
}

async function privateKey(pem: string): Promise<CryptoKey | null> {
  const der = fromBase64(pem.replace(/-----[A-Z ]+-----|\s/g, ""));
  if (der === null) return null;
  try {
    return await crypto.subtle.importKey("pkcs8", der, ALGORITHM, false, ["sign"]);
  } catch {
    return null;
  }
}

function encoded(part: object): string {
  return toBase64Url(new TextEncoder().encode(JSON.stringify(part)));
}
