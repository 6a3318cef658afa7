import type { KeptSecret, StoredAuth } from "../../contract/inbound/endpoint.ts";
import { parseRange } from "../../inbound/ip-ranges.ts";
import { rangeText } from "../../inbound/range-text.ts";
import type { SecretEncoding } from "../../inbound/secrets.ts";
import { type AuthBody, schemeOf } from "./auth-faults.ts";
import { replacedSecret, type SealFor, sealedValue } from "./sealing.ts";

/** Secrets that the service made itself, for the one answer that shows them. */
export interface MadeSecrets {
  token?: string;
  hmac?: string;
}

/** `auth` as it is to be kept. */
export interface AuthDraft {
  auth: StoredAuth;
  made: MadeSecrets;
}

/** A setting with its secret, and the secret's text when the service made it. */
interface WithSecret<Setting> {
  setting: Setting | null;
  made?: string;
}

/**
 * `auth` as it is kept from now on; the body has no faults. What the body does not name is gone, but
 * for secrets: one that is left out stays as it was, or is made where there was none.
 */
export async function authOf(body: AuthBody, before: StoredAuth, who: SealFor): Promise<AuthDraft> {
  const [token, hmac, headers] = await Promise.all([
    tokenOf(body, before, who),
    hmacOf(body, before, who),
    headersOf(body, before, who),
  ]);
  return {
    auth: {
      token: token.setting,
      hmac: hmac.setting,
      ipAllowlist: body.ipAllowlist ? rangesOf(body.ipAllowlist) : null,
      headers,
    },
    made: {
      ...(token.made !== undefined && { token: token.made }),
      ...(hmac.made !== undefined && { hmac: hmac.made }),
    },
  };
}

async function tokenOf(
  { token }: AuthBody,
  before: StoredAuth,
  who: SealFor,
): Promise<WithSecret<NonNullable<StoredAuth["token"]>>> {
  if (!token) return { setting: null };
  const kept = before.token?.secret ?? null;
  const { secret, ...made } = await secretOf(token.secret, kept, "token", "utf8", who);
  return { setting: { header: token.header ?? null, secret }, ...made };
}

async function hmacOf(
  { hmac }: AuthBody,
  before: StoredAuth,
  who: SealFor,
): Promise<WithSecret<NonNullable<StoredAuth["hmac"]>>> {
  if (!hmac) return { setting: null };
  const scheme = schemeOf(hmac);
  // A secret goes over to another scheme only where its text makes the same key.
  const isKept = before.hmac?.scheme.secretEncoding === scheme.secretEncoding;
  const kept = isKept ? (before.hmac?.secret ?? null) : null;
  const encoding = scheme.secretEncoding;
  const { secret, ...made } = await secretOf(hmac.secret, kept, "hmac", encoding, who);
  return { setting: { preset: hmac.preset ?? null, scheme, secret }, ...made };
}

async function secretOf(
  given: string | undefined,
  kept: KeptSecret | null,
  use: "token" | "hmac",
  encoding: SecretEncoding,
  who: SealFor,
): Promise<{ secret: KeptSecret; made?: string }> {
  if (given === undefined && kept !== null) return { secret: kept };
  // The old one is no longer valid from this moment on; it is only told apart from an unknown one.
  return await replacedSecret({ given, kept, use, encoding, validUntil: who.now }, who);
}

async function headersOf(
  { headers }: AuthBody,
  before: StoredAuth,
  who: SealFor,
): Promise<StoredAuth["headers"]> {
  return await Promise.all(
    (headers ?? []).map(async ({ name, value }) => ({
      name,
      value: value
        ? await sealedValue(value, { header: name }, who)
        : keptValue(name, value, before),
    })),
  );
}

/** A value is a secret: one that is left out stays as it was. */
function keptValue(name: string, value: string | null | undefined, { headers }: StoredAuth) {
  if (value === null) return null;
  const same = headers.find((header) => header.name.toLowerCase() === name.toLowerCase());
  return same?.value ?? null;
}

function rangesOf(entries: string[]): string[] {
  const ranges = entries.map(parseRange).filter((range) => range !== null);
  return [...new Set(ranges.map(rangeText))];
}
