import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import * as z from "zod";
import { settingsOf } from "../env.ts";
import { open, seal } from "../lib/secrets.ts";
import type { Page } from "./context.ts";

/** A cookie with authenticated encryption, out of reach of scripts. */
export interface SealedCookie {
  name: string;
  /** What it is for: a value that was sealed for another purpose does not open. */
  context: string;
}

/** When a sealed value ends, in epoch milliseconds. */
const lifetime = z.object({ until: z.int() });

/** Stores a value for this many seconds. Throws without an `ENCRYPTION_KEY`. */
export async function setSealed(
  http: Page,
  { name, context }: SealedCookie,
  value: object,
  seconds: number,
): Promise<void> {
  const text = JSON.stringify({ ...value, until: Date.now() + seconds * 1_000 });
  const sealed = await seal(text, settingsOf(http.env).ENCRYPTION_KEY, context);
  setCookie(http, nameOf(http, name), sealed, { ...optionsOf(http), maxAge: seconds });
}

/** Returns the value of a cookie, or null without a valid one. */
export async function readSealed<Schema extends z.ZodType>(
  http: Page,
  { name, context }: SealedCookie,
  schema: Schema,
): Promise<z.output<Schema> | null> {
  const sealed = getCookie(http, nameOf(http, name));
  if (sealed === undefined) return null;
  const text = await open(sealed, settingsOf(http.env).ENCRYPTION_KEY, context);
  if (text === null) return null;
  const value: unknown = JSON.parse(text);
  return Date.now() < lifetime.parse(value).until ? schema.parse(value) : null;
}

/** Deletes the cookies whose name begins like this. */
export function dropSealed(http: Page, prefix: string): void {
  for (const name of Object.keys(getCookie(http))) {
    if (name.startsWith(nameOf(http, prefix))) deleteCookie(http, name, optionsOf(http));
  }
}

const isSecure = (http: Page): boolean => new URL(http.req.url).protocol === "https:";

/** RFC 6265bis: `__Host-` pins a cookie to this host but needs HTTPS, which loopback lacks. */
const nameOf = (http: Page, name: string): string => (isSecure(http) ? `__Host-${name}` : name);

function optionsOf(http: Page) {
  return { path: "/", httpOnly: true, sameSite: "Lax" as const, secure: isSecure(http) };
}
