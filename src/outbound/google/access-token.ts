import { importPKCS8, SignJWT } from "jose";
import * as z from "zod";
import type { ServiceAccount } from "../../lib/service-account.ts";
import { post } from "./request.ts";

/** An access token, or why there is none. */
export type AccessToken =
  | { ok: true; token: string }
  | { ok: false; code: "misconfigured" | "google_refused" | "unavailable"; reason: string };

const GRANT = "urn:ietf:params:oauth:grant-type:jwt-bearer";
const TIMEOUT_MS = 10_000;
/** The time before its end at which a token is renewed, so that a request arrives with a valid one. */
const MARGIN_MS = 60_000;

const granted = z.object({ access_token: z.string().min(1), expires_in: z.number().positive() });
const refused = z.object({ error: z.string().max(100) });

interface Held {
  token: string;
  until: number;
}

/**
 * The tokens of this isolate by configured account. Only results are shared: a request in progress
 * belongs to the object that started it.
 */
const held = new WeakMap<ServiceAccount, Held>();

/** Returns a token of the account for the scope, the same one until shortly before its end. */
export async function accessToken(
  account: ServiceAccount,
  { scope, now, signal }: { scope: string; now: () => number; signal: AbortSignal },
): Promise<AccessToken> {
  const known = held.get(account);
  if (known && now() < known.until) return { ok: true, token: known.token };
  const assertion = await assertionOf(account, { scope, now: now() });
  if (assertion === null) {
    return {
      ok: false,
      code: "misconfigured",
      reason:
        "The private key in GOOGLE_SERVICE_ACCOUNT is not an RSA key. The operator must replace it.",
    };
  }
  return await exchange(account, assertion, { now, signal });
}

/** Drops the token, so that the next call requests a new one. */
export function forgetToken(account: ServiceAccount): void {
  held.delete(account);
}

async function exchange(
  account: ServiceAccount,
  assertion: string,
  { now, signal }: { now: () => number; signal: AbortSignal },
): Promise<AccessToken> {
  const asked = now();
  const reply = await post(
    account.token_uri,
    {
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({ grant_type: GRANT, assertion }).toString(),
    },
    { timeoutMs: TIMEOUT_MS, signal },
  );
  if (reply.kind === "lost") return unavailable(`Google's token server ${reply.reason}.`);
  const answer = granted.safeParse(reply.json);
  if (reply.status === 200 && answer.success) {
    const { access_token: token, expires_in } = answer.data;
    held.set(account, { token, until: asked + expires_in * 1_000 - MARGIN_MS });
    return { ok: true, token };
  }
  if (reply.status >= 500) return unavailable(`Google's token server answered ${reply.status}.`);
  const why = refused.safeParse(reply.json).data?.error ?? `status ${reply.status}`;
  return {
    ok: false,
    code: "google_refused",
    reason: `Google gave the service account no access (${why}).`,
  };
}

function unavailable(reason: string): AccessToken {
  return { ok: false, code: "unavailable", reason: `${reason} Nothing was appended.` };
}

/**
 * Signs the JWT with which the account requests an access token (RFC 7523, section 2.1), for the hour that
 * Google accepts at most. Returns null if its private key is invalid.
 */
export async function assertionOf(
  { client_email, private_key, token_uri }: ServiceAccount,
  { scope, now }: { scope: string; now: number },
): Promise<string | null> {
  const iat = Math.floor(now / 1_000);
  try {
    const key = await importPKCS8(private_key, "RS256");
    return await new SignJWT({ iss: client_email, scope, aud: token_uri, iat, exp: iat + 3_600 })
      .setProtectedHeader({ alg: "RS256", typ: "JWT" })
      .sign(key);
  } catch {
    return null;
  }
}
