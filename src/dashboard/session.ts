import * as z from "zod";
import { scope } from "../contract/account.ts";
import { sha256Hex } from "../lib/encoding.ts";
import type { Page } from "./context.ts";
import { dropSealed, readSealed, type SealedCookie, setSealed } from "./sealed-cookie.ts";

const SESSION: SealedCookie = { name: "prompthook", context: "dashboard-session" };
const SESSION_SECONDS = 7 * 86_400;
/** Longer than a browser takes to follow a redirect. */
const SHOWN_ONCE_SECONDS = 120;

const session = z.object({
  v: z.literal(1),
  apiKey: z.string(),
  /** Absent in sessions of earlier versions. */
  reader: z.object({ account: z.string(), scopes: z.array(scope) }).exactOptional(),
});
type Session = z.infer<typeof session>;

/** Stores an API key in a cookie. Revoking the key ends the session. */
export function startSession(http: Page, signedIn: Omit<Session, "v">): Promise<void> {
  return setSealed(http, SESSION, { v: 1, ...signedIn } satisfies Session, SESSION_SECONDS);
}

/** Returns the session, or null without a valid one. */
export function readSession(http: Page): Promise<Session | null> {
  return readSealed(http, SESSION, session);
}

/** Deletes the session, and what was to be shown once in it. */
export function endSession(http: Page): void {
  dropSealed(http, SESSION.name);
}

/**
 * Redirects a posted form to the page that shows its result once, such as a new key: a reload of that page
 * then sends nothing again. The value is in a cookie for this page alone, never in the address.
 */
export async function redirectToShowOnce(http: Page, path: string, value: object) {
  await setSealed(http, await onceFor(path), value, SHOWN_ONCE_SECONDS);
  return http.redirect(path, 303);
}

/** Returns what was stored for this page, and deletes it; null if it was shown before. */
export async function takeShownOnce<Schema extends z.ZodType>(
  http: Page,
  schema: Schema,
): Promise<z.output<Schema> | null> {
  const cookie = await onceFor(http.req.path);
  const value = await readSealed(http, cookie, schema);
  dropSealed(http, cookie.name);
  return value;
}

/** Pages that are open at the same time have cookies of their own. */
async function onceFor(path: string): Promise<SealedCookie> {
  const name = `${SESSION.name}-once-${(await sha256Hex(path)).slice(0, 16)}`;
  return { name, context: `dashboard-once ${path}` };
}
