import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import * as z from "zod";
import { scope } from "../contract/keys.ts";
import { settingsOf } from "../env.ts";
import { sha256Hex } from "../lib/encoding.ts";
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
async function setSealed(
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
async function readSealed<Schema extends z.ZodType>(
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
function dropSealed(http: Page, prefix: string): void {
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

const SESSION: SealedCookie = { name: "prompthook", context: "dashboard-session" };
const SESSION_SECONDS = 7 * 86_400;
/** Longer than a browser takes to follow a redirect. */
const SHOWN_ONCE_SECONDS = 120;

const session = z.object({
  v: z.literal(1),
  apiKey: z.string(),
  /** Absent in sessions of earlier versions. */
  reader: z
    .object({
      account: z.string(),
      scopes: z.array(scope),
      email: z.string().exactOptional(),
    })
    .exactOptional(),
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

/** A proven address, with which its member chooses an account and switches to another. */
const IDENTITY: SealedCookie = { name: `${SESSION.name}-identity`, context: "dashboard-identity" };
const identity = z.object({ email: z.string(), method: z.enum(["link", "access"]) });
export type Identity = z.infer<typeof identity>;

/** Notes which address the reader has proven. */
export function setIdentity(http: Page, proven: Identity): Promise<void> {
  return setSealed(http, IDENTITY, proven, SESSION_SECONDS);
}

/** Returns the address that the reader has proven, or null. */
export function readIdentity(http: Page): Promise<Identity | null> {
  return readSealed(http, IDENTITY, identity);
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

/** Whether the reader has dismissed the first steps; forgotten at the end of the session, as its name says. */
export const FIRST_STEPS = `${SESSION.name}-steps`;
const YEAR_SECONDS = 365 * 86_400;

/** Keeps a choice of the reader in this browser, for a year unless `seconds` says how long. */
export function keepChoice(http: Page, name: string, choice: string, seconds = YEAR_SECONDS): void {
  setCookie(http, nameOf(http, name), choice, { ...optionsOf(http), maxAge: seconds });
}

/** Returns a choice of the reader; undefined for none. */
export const choiceOf = (http: Page, name: string): string | undefined =>
  getCookie(http, nameOf(http, name));
