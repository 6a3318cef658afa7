import { createRemoteJWKSet, decodeJwt, type JWTVerifyGetKey, jwtVerify } from "jose";
import * as z from "zod";
import { memberEmail } from "../contract/members.ts";
import { logWarning } from "../lib/log.ts";

/** How long an issuer may take to answer, in milliseconds. */
export const ISSUER_TIMEOUT_MS = 5_000;

/** Who signs tokens that name people, and for whom. */
interface Issuer {
  issuer: string;
  audience: string;
  algorithms: string[];
  /** Returns the address of the issuer's public keys. */
  keysAt(issuer: string): URL | Promise<URL>;
}

/** The claims of a person; the token of a program has no e-mail address. */
const person = z.object({
  email: memberEmail,
  email_verified: z.boolean().default(true),
  exp: z.int(),
});

/** The public keys of issuers, which are fetched when they are needed and kept for a while. */
const keySets = new Map<string, JWTVerifyGetKey>();

/** Returns the person whom a token proves, or null for a token that is not valid or proves no address. */
export async function provenPerson(
  token: string,
  { issuer, audience, algorithms, keysAt }: Issuer,
): Promise<z.infer<typeof person> | null> {
  try {
    // A token of somebody else does not make the service ask the issuer for keys.
    if (decodeJwt(token).iss !== issuer) return null;
    const keys = keySets.get(issuer) ?? keysFrom(await keysAt(issuer));
    keySets.set(issuer, keys);
    const required = { issuer, audience, algorithms, requiredClaims: ["exp"] };
    const { payload } = await jwtVerify(token, keys, required);
    const proven = person.safeParse(payload).data;
    return proven?.email_verified === true ? proven : null;
  } catch (error) {
    logWarning("token of a person refused", { issuer }, error);
    return null;
  }
}

const keysFrom = (address: URL): JWTVerifyGetKey =>
  createRemoteJWKSet(address, { timeoutDuration: ISSUER_TIMEOUT_MS });
