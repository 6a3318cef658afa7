import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import * as z from "zod";
import { scope } from "../contract/account.ts";
import { settingsOf } from "../env.ts";
import { open, seal } from "../lib/secrets.ts";
import type { Page } from "./context.ts";

/** The context of a sealed session: no other sealed text passes as one. */
const CONTEXT = "dashboard-session";
const LIFETIME_SECONDS = 7 * 86_400;

const session = z.object({
  v: z.literal(1),
  apiKey: z.string(),
  until: z.int(),
  /** Absent in sessions of earlier versions. */
  reader: z.object({ account: z.string(), scopes: z.array(scope) }).exactOptional(),
});
type Session = z.infer<typeof session>;

/**
 * Stores an API key in a cookie with authenticated encryption, out of reach of scripts. Revoking the
 * key ends the session. Throws without an `ENCRYPTION_KEY`.
 */
export async function startSession(
  http: Page,
  signedIn: Pick<Session, "apiKey" | "reader">,
  now: number,
): Promise<void> {
  const until = now + LIFETIME_SECONDS * 1_000;
  const text = JSON.stringify({ v: 1, ...signedIn, until } satisfies Session);
  const value = await seal(text, settingsOf(http.env).ENCRYPTION_KEY, CONTEXT);
  const { name, ...options } = cookieOf(http);
  setCookie(http, name, value, { ...options, maxAge: LIFETIME_SECONDS });
}

/** Returns the session, or null without a valid one. `now` in epoch milliseconds. */
export async function readSession(http: Page, now: number): Promise<Session | null> {
  const value = getCookie(http, cookieOf(http).name);
  if (value === undefined) return null;
  const text = await open(value, settingsOf(http.env).ENCRYPTION_KEY, CONTEXT);
  if (text === null) return null;
  const found = session.parse(JSON.parse(text));
  return now < found.until ? found : null;
}

export function endSession(http: Page): void {
  const { name, ...options } = cookieOf(http);
  deleteCookie(http, name, options);
}

/** RFC 6265bis: `__Host-` pins a cookie to this host but needs HTTPS, which loopback lacks. */
function cookieOf(http: Page) {
  const secure = new URL(http.req.url).protocol === "https:";
  return {
    name: secure ? "__Host-prompthook" : "prompthook",
    path: "/",
    httpOnly: true,
    sameSite: "Lax" as const,
    secure,
  };
}
