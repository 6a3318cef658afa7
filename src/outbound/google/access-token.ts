import * as z from "zod";
import { fromBase64, toBase64Url } from "../../lib/encoding.ts";
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

/** The longest lifetime that Google accepts. */
const LIFETIME_SECONDS = 3_600;

const ALGORITHM = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };

/**
 * Signs the JWT with which the account requests an access token (RFC 7523, section 2.1), with RS256.
 * Returns null if its private key is invalid.
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
