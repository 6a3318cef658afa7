import { createRemoteJWKSet, jwtVerify } from "jose";
import * as z from "zod";
import { memberEmail } from "../contract/members.ts";
import type { Settings } from "../env.ts";
import { logWarning } from "../lib/log.ts";

/** The claims of a person; a service token has no e-mail. */
const claims = z.object({ email: memberEmail });

type KeySet = ReturnType<typeof createRemoteJWKSet>;
const keySets = new Map<string, KeySet>();

/** Returns the public keys of a team, which are fetched when they are needed and kept for a while. */
function keysOf(issuer: string): KeySet {
  const known = keySets.get(issuer);
  if (known !== undefined) return known;
  const url = new URL("/cdn-cgi/access/certs", issuer);
  const keys = createRemoteJWKSet(url, { timeoutDuration: 5_000 });
  keySets.set(issuer, keys);
  return keys;
}

/**
 * Returns the e-mail address that Cloudflare Access asserts of a request, or null: without a valid
 * assertion for this application, and where Access is not set up.
 */
export async function accessIdentity(
  assertion: string | undefined,
  { ACCESS_TEAM_DOMAIN: issuer, ACCESS_AUD: audience }: Settings,
): Promise<string | null> {
  if (issuer === undefined || audience === undefined || assertion === undefined) return null;
  try {
    const { payload } = await jwtVerify(assertion, keysOf(issuer), {
      issuer,
      audience,
      algorithms: ["RS256"],
      requiredClaims: ["exp"],
    });
    return claims.safeParse(payload).data?.email ?? null;
  } catch (error) {
    logWarning("access assertion refused", {}, error);
    return null;
  }
}
