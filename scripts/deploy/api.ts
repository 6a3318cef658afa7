import * as z from "zod";
import { UserError } from "../local/project.ts";
import type { Refusal } from "./refusals.ts";
import { printed, type Wrangler } from "./wrangler.ts";

const BASE_URL = "https://api.cloudflare.com/client/v4";
const DEADLINE_MS = 30_000;

const credential = z.discriminatedUnion("type", [
  z.object({ type: z.enum(["api_token", "oauth"]), token: z.string() }),
  z.object({ type: z.literal("api_key"), key: z.string(), email: z.string() }),
]);
const envelope = z.object({
  success: z.boolean(),
  errors: z.array(z.object({ code: z.int(), message: z.string() })).default([]),
  result: z.unknown(),
});

/** Cloudflare's answer to a call. */
export type Answer = { ok: true; result: unknown } | { ok: false; refusal: Refusal };

/**
 * Calls Cloudflare's API within one account; `path` is what follows the account's id, or begins with `/zones`,
 * which are outside of accounts.
 */
export type CloudflareApi = (
  method: "GET" | "POST" | "PUT",
  path: string,
  body?: unknown,
) => Promise<Answer>;

/**
 * Returns Cloudflare's API with wrangler's sign-in, for what wrangler has no command for and what a call of
 * it, which takes seconds, is not needed for.
 */
export async function apiOf(
  wrangler: Wrangler,
  accountId: string,
  environment: NodeJS.ProcessEnv,
): Promise<CloudflareApi> {
  const signIn = credential.parse(JSON.parse(await printed(wrangler, ["auth", "token", "--json"])));
  const headers = {
    "Content-Type": "application/json",
    ...(signIn.type === "api_key"
      ? { "X-Auth-Key": signIn.key, "X-Auth-Email": signIn.email }
      : { Authorization: `Bearer ${signIn.token}` }),
  };
  const base = environment.CLOUDFLARE_API_BASE_URL ?? BASE_URL;
  return async (method, path, body) => {
    const scope = path.startsWith("/zones") ? "" : `/accounts/${accountId}`;
    const response = await fetch(`${base}${scope}${path}`, {
      method,
      headers,
      signal: AbortSignal.timeout(DEADLINE_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    const parsed = envelope.safeParse(parseJson(text));
    if (!parsed.success) {
      throw new UserError(
        `${method} ${path} of Cloudflare's API returned ${response.status}: ${text.slice(0, 200)}`,
      );
    }
    const { success, errors, result } = parsed.data;
    if (success) return { ok: true, result };
    const [first] = errors;
    return { ok: false, refusal: first ?? { code: null, message: `Status ${response.status}` } };
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
