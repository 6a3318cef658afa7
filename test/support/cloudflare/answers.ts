import type { Context } from "hono";

type Status = 400 | 403 | 404 | 409;

/** Answers as Cloudflare's API does. */
export function ok(http: Context, result: unknown): Response {
  return http.json({ success: true, errors: [], messages: [], result });
}

/** Refuses as Cloudflare's API does. */
export function fault(http: Context, status: Status, code: number, message: string): Response {
  const errors = [{ code, message }];
  return http.json({ success: false, errors, messages: [], result: null }, status);
}
