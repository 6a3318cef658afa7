import { exports } from "cloudflare:workers";
import { EventSourceParserStream } from "eventsource-parser/stream";
import { expect } from "vitest";
import { anyAddress, newAccount } from "./client.ts";

const ORIGIN = "http://localhost";

interface Browse {
  cookie?: string;
  /** Sent as a form, by POST; with files if it is `FormData`. */
  form?: Record<string, string> | [string, string][] | FormData;
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
      "CF-Connecting-IP": anyAddress(),
      ...(cookie !== undefined && { Cookie: cookie }),
      ...(form && { Origin: origin }),
      ...headers,
    },
    ...(form && {
      method: "POST",
      body: form instanceof FormData ? form : new URLSearchParams(form),
    }),
  });
}

/** Keeps the cookies of a response as a browser does. */
export function keepCookies(jar: Map<string, string>, response: Response): void {
  for (const line of response.headers.getSetCookie()) {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/max-age=0/i.test(line)) jar.delete(name);
    else jar.set(name, value);
  }
}

/** A new account, and a browser that has signed in with its key. */
export async function newBrowser() {
  const account = await newAccount();
  const me = await signedIn(account.apiKey);
  return { ...account, me, page: me.read };
}

/** A browser that has signed in with this key. It keeps the cookies of every response. */
export async function signedIn(apiKey: string) {
  const jar = new Map<string, string>();
  const request = async (path: string, asked: Browse = {}): Promise<Response> => {
    const cookie = [...jar].map((pair) => pair.join("=")).join("; ");
    const response = await browse(path, { cookie, ...asked });
    keepCookies(jar, response);
    return response;
  };
  const response = await request("/dashboard/sign-in", { form: { apiKey } });
  expect(response.status).toBe(303);
  const cookie = (response.headers.get("Set-Cookie") ?? "").split(";", 1)[0] ?? "";
  return {
    /** The cookie of the session as it began. */
    cookie,
    get: (path: string) => request(path),
    /** The HTML of a page, whose answer has this status. */
    read: async (path: string, status = 200): Promise<string> => {
      const response = await request(path);
      expect(response.status, path).toBe(status);
      return response.text();
    },
    /** Opens the stream that a page follows. */
    follow: async (page: string) => {
      const path = /data-live="([^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&");
      if (path === undefined) throw new Error("the page follows nothing");
      const { body } = await browse(path, { cookie });
      if (body === null) throw new Error("there is no stream");
      const events = body
        .pipeThrough(new TextDecoderStream())
        .pipeThrough(new EventSourceParserStream())
        .getReader();
      return {
        /** Waits for the next event of this name and returns its data. */
        async next(name: string): Promise<string> {
          for (;;) {
            const { value, done } = await events.read();
            if (done) throw new Error(`the stream ended without ${name}`);
            if (value.event === name) return value.data;
          }
        },
        close: () => events.cancel(),
      };
    },
    post: (
      path: string,
      form: Record<string, string> | [string, string][] | FormData = {},
      headers: Record<string, string> = {},
    ) => request(path, { form, headers }),
    /** Sends a form and returns the page that the reader then sees, with its path. */
    submit: async (path: string, form: Record<string, string> = {}) => {
      const answer = await request(path, { form });
      const to = answer.headers.get("Location");
      const page = to === null ? answer : await request(to);
      return { path: to, status: page.status, html: await page.text() };
    },
  };
}
