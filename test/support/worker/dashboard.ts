import { exports } from "cloudflare:workers";
import { expect } from "vitest";

const ORIGIN = "http://localhost";

interface Browse {
  cookie?: string;
  /** Sent as a form, by POST. */
  form?: Record<string, string>;
  origin?: string;
  headers?: Record<string, string>;
}

/** Asks for a page as a browser does, which sends the origin with a form; redirects are not followed. */
export function browse(
  path: string,
  { cookie, form, origin = ORIGIN, headers }: Browse = {},
): Promise<Response> {
  return exports.default.fetch(`${origin}${path}`, {
    redirect: "manual",
    headers: {
      ...(cookie !== undefined && { Cookie: cookie }),
      ...(form && { Origin: origin }),
      ...headers,
    },
    ...(form && { method: "POST", body: new URLSearchParams(form) }),
  });
}

/** A browser that has signed in with this key. */
export async function signedIn(apiKey: string) {
  const response = await browse("/dashboard/sign-in", { form: { apiKey } });
  expect(response.status).toBe(303);
  const cookie = (response.headers.get("Set-Cookie") ?? "").split(";", 1)[0] ?? "";
  return {
    cookie,
    get: (path: string) => browse(path, { cookie }),
    post: (path: string, form: Record<string, string> = {}) => browse(path, { cookie, form }),
  };
}
