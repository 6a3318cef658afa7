import type * as z from "zod";
import type { Json } from "../contract/json.ts";
import { fromBase64, toBase64, toBase64Url } from "../lib/encoding.ts";
import { hasKeyedCheck, keyedCheck } from "../lib/secrets.ts";

/** Returns the keys of a purpose, made from those of ids: what is signed for one purpose is not for another. */
function keysFor(purpose: string, keys: readonly string[]): Promise<string[]> {
  return Promise.all(keys.map((key) => keyedCheck(purpose, [key], toBase64)));
}

/** Returns the token of a link for a purpose. Who has it can read the content, and nobody can change it. */
export async function signToken(
  purpose: string,
  content: Json,
  keys: readonly string[],
): Promise<string> {
  const text = toBase64Url(new TextEncoder().encode(JSON.stringify(content)));
  return `${text}.${await keyedCheck(text, await keysFor(purpose, keys), toBase64Url)}`;
}

/** Returns the content of a token; null if it was changed, or was signed elsewhere or for another purpose. */
export async function readToken<Content>(
  purpose: string,
  token: string,
  content: z.ZodType<Content>,
  keys: readonly string[],
): Promise<Content | null> {
  const [text = "", check = "", ...rest] = token.split(".");
  const isOurs = await hasKeyedCheck(text, check, await keysFor(purpose, keys), toBase64Url);
  const bytes = fromBase64(text);
  if (!isOurs || rest.length > 0 || bytes === null) return null;
  return content.safeParse(JSON.parse(new TextDecoder().decode(bytes))).data ?? null;
}
