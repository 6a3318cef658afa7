import * as z from "zod";
import type { DecisionRecipient, DecisionRules } from "../contract/decisions.ts";
import { fromBase64, toBase64, toBase64Url } from "../lib/encoding.ts";
import { hasKeyedCheck, keyedCheck } from "../lib/secrets.ts";

/** What a link to a decision says: whose it is, and until when it can be used (epoch milliseconds). */
const link = z
  .tuple([z.string().max(100), z.string().max(100), z.string().regex(/^[ne]\d{1,2}$/), z.int()])
  .transform(([accountId, decisionId, recipient, expiresAt]) => {
    return { accountId, decisionId, recipient, expiresAt };
  });
export type DecisionLink = z.output<typeof link>;

/** Returns the keys of links, made from those of ids: what is signed for one purpose is not for another. */
function keysFor(purpose: string, keys: readonly string[]): Promise<string[]> {
  return Promise.all(keys.map((key) => keyedCheck(`decisions: ${purpose}`, [key], toBase64)));
}

/** Returns the token of a recipient's link. */
export async function signLink(
  { accountId, decisionId, recipient, expiresAt }: DecisionLink,
  keys: readonly string[],
): Promise<string> {
  const content = JSON.stringify([accountId, decisionId, recipient, expiresAt]);
  const text = toBase64Url(new TextEncoder().encode(content));
  return `${text}.${await keyedCheck(text, await keysFor("link", keys), toBase64Url)}`;
}

/** Reads a token; null if it was changed, or another service signed it. */
export async function readLink(
  token: string,
  keys: readonly string[],
): Promise<DecisionLink | null> {
  const [text = "", check = "", ...rest] = token.split(".");
  const isOurs = await hasKeyedCheck(text, check, await keysFor("link", keys), toBase64Url);
  const bytes = fromBase64(text);
  if (!isOurs || rest.length > 0 || bytes === null) return null;
  return link.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null;
}

/** How long a page of a link can be sent. */
const NONCE_HOURS = 12;
const HOUR_MS = 3_600_000;

/** Returns the nonce of a link's form. */
export async function nonceOf(token: string, now: number, keys: readonly string[]) {
  const hour = Math.floor(now / HOUR_MS);
  return `${hour}.${await keyedCheck(`${hour} ${token}`, await keysFor("form", keys), toBase64Url)}`;
}

/** Whether the nonce was shown on the page of this link, not too long ago. */
export async function isNonceOf(
  token: string,
  nonce: string,
  now: number,
  keys: readonly string[],
): Promise<boolean> {
  const [hour = "", check = ""] = nonce.split(".");
  const age = Math.floor(now / HOUR_MS) - Number(hour);
  const isOurs = hasKeyedCheck(`${hour} ${token}`, check, await keysFor("form", keys), toBase64Url);
  return (await isOurs) && age >= 0 && age <= NONCE_HOURS;
}

/** Returns the recipients of a decision by the names that links have for them. */
export function recipientsOf({ notify, escalateTo }: DecisionRules) {
  const named = (list: readonly DecisionRecipient[], kind: "n" | "e") =>
    list.map((recipient, at) => ({ ...recipient, key: `${kind}${at}` }));
  return { notify: named(notify, "n"), escalateTo: named(escalateTo, "e") };
}
