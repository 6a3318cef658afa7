import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { ConnectionRule } from "../../../src/contract/connections.ts";
import { scrubberOf } from "../../../src/lib/secret-forms.ts";
import type { AddressPolicy } from "../../../src/outbound/address.ts";
import { createGuardedFetch, USER_AGENT } from "../../../src/outbound/guarded-fetch.ts";
import type { GuardedFetch, OutboundRequest, OutboundResponse } from "../../../src/ports/fetch.ts";
import { readText, startServer } from "../../support/server.ts";
import { untilEnd } from "../../support/until-end.ts";

interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What the target, the other origin and the service itself were asked. */
let seen: Seen[] = [];
const target = await untilEnd(startServer(answer));
const other = await untilEnd(startServer(echo));
const self = await untilEnd(startServer(echo));
let arrived: PromiseWithResolvers<void>;
let hungUp: PromiseWithResolvers<void>;

/** A guarded fetch of these tests; by default it may reach this machine. */
const guardedBy = (
  policy: Partial<AddressPolicy> = {},
  changes: Partial<Parameters<typeof createGuardedFetch>[0]> = {},
) =>
  createGuardedFetch({
    policy: { allowLoopback: true, ownHosts: [], schemes: ["http", "https"], ...policy },
    dnsOverHttpsUrl: null,
    ...changes,
  });

const guardedFetch = guardedBy({ ownHosts: [self.host] });

beforeEach(() => {
  seen = [];
  arrived = Promise.withResolvers();
  hungUp = Promise.withResolvers();
});

async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url, headers } = request;
  seen.push({ method, url, headers, body: await readText(request) });
  response.end("echo");
}

/** `/redirect?to=` answers a redirect, `/endless` never stops, `/hang` never answers, `/stall` half. */
async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const url = new URL(request.url ?? "/", target.origin);
  arrived.resolve();
  response.on("close", () => hungUp.resolve());
  switch (url.pathname) {
    case "/redirect":
      response.writeHead(Number(url.searchParams.get("status") ?? 302), {
        location: url.searchParams.get("to") ?? "",
      });
      response.end();
      return;
    case "/endless":
      response.writeHead(200);
      pump(response);
      return;
    case "/hang":
      return;
    case "/stall":
      response.writeHead(200);
      response.write("half");
      return;
    case "/break":
      request.socket.destroy();
      return;
    default:
      await echo(request, response);
  }
}

function pump(response: ServerResponse): void {
  while (!response.destroyed && response.write(Buffer.alloc(65_536, "x")));
  if (!response.destroyed) response.once("drain", () => pump(response));
}

const READ = {
  method: "GET",
  maxBytes: 1_000_000,
  timeoutMs: 10_000,
  maxRedirects: 5,
  signal: new AbortController().signal,
};

const go = (path: string, request: Partial<OutboundRequest> = {}): Promise<OutboundResponse> =>
  guardedFetch({ ...READ, url: new URL(path, target.origin).href, ...request });

function redirect(to: string, status = 302): string {
  return `/redirect?${new URLSearchParams({ to, status: String(status) })}`;
}

const failure = (code: string) => expect.objectContaining({ name: "OutboundError", code });
const text = ({ bytes }: OutboundResponse) => new TextDecoder().decode(bytes);

describe("a request", () => {
  it("sends the method, headers and body given, under its own name", async () => {
    const response = await go("/a", {
      method: "post",
      headers: { "X-Key": "1", "User-Agent": "other" },
      body: "hello",
    });
    expect(text(response)).toBe("echo");
    expect(seen).toMatchObject([
      { method: "POST", url: "/a", body: "hello", headers: { "x-key": "1" } },
    ]);
    expect(seen[0]?.headers["user-agent"]).toBe(USER_AGENT);
  });

  it("does not reach a refused address", async () => {
    await expect(go("/", { url: "http://10.0.0.1/" })).rejects.toEqual(failure("address_refused"));
    await expect(go("/", { url: self.origin })).rejects.toEqual(failure("address_refused"));
    expect(seen).toEqual([]);
  });

  it.each([
    ["a second header by a line break", { "X-A": "1\r\nX-B: 2" }],
    ["a line break in a name", { "X-A\n": "1" }],
    ["a NUL", { "X-A": "\0" }],
    ["letters beyond ASCII", { "X-A": "Grüße" }],
    ["Host", { host: "example.com" }],
    ["Connection", { Connection: "upgrade" }],
    ["Transfer-Encoding", { "Transfer-Encoding": "chunked" }],
    ["Content-Length", { "Content-Length": "1" }],
    ["Proxy-Authorization", { "Proxy-Authorization": "Basic x" }],
    ["CF-Connecting-IP", { "CF-Connecting-IP": "8.8.8.8" }],
    ["X-Forwarded-For", { "x-forwarded-for": "8.8.8.8" }],
    ["too many headers", Object.fromEntries([...Array(65).keys()].map((n) => [`x-${n}`, "1"]))],
    ["too long headers", { "x-long": "1".repeat(20_000) }],
  ] as [string, Record<string, string>][])("refuses %s in its headers", async (_name, headers) => {
    await expect(go("/", { headers })).rejects.toEqual(failure("header_refused"));
    expect(seen).toEqual([]);
  });

  it("hides the network's own error", async () => {
    const message = "The address could not be reached, or closed the connection.";
    await expect(go("/break")).rejects.toMatchObject({ code: "network", message });
  });
});

describe("a redirect", () => {
  it("is followed, and the answer has the final address", async () => {
    const response = await go(redirect(redirect("/end")));
    expect(response.url).toBe(`${target.origin}/end`);
    expect(response.status).toBe(200);
  });

  it("is refused to the service itself, in any spelling", async () => {
    const { port } = new URL(self.origin);
    for (const host of ["127.0.0.1", "localhost", "2130706433"]) {
      const request = go(redirect(`http://${host}:${port}/`));
      await expect(request).rejects.toEqual(failure("address_refused"));
    }
    expect(seen).toEqual([]);
  });

  it.each(["http://10.0.0.1/", "file:///etc/passwd", "//metadata.google.internal/"])(
    "is refused to %s, at the second hop too",
    async (to) => {
      await expect(go(redirect(to))).rejects.toEqual(failure("address_refused"));
      await expect(go(redirect(redirect(to)))).rejects.toEqual(failure("address_refused"));
    },
  );

  it("is followed a limited number of times", async () => {
    const twice = redirect(redirect("/end"));
    expect((await go(twice, { maxRedirects: 2 })).status).toBe(200);
    await expect(go(twice, { maxRedirects: 1 })).rejects.toEqual(failure("too_many_redirects"));
  });

  it("is returned if none may be followed, or if its address is unreadable", async () => {
    const { maxRedirects: _, ...unredirected } = READ;
    const url = `${target.origin}${redirect("http://10.0.0.1/")}`;
    for (const limit of [{ maxRedirects: 0 }, {}]) {
      const response = await guardedFetch({ ...unredirected, url, ...limit });
      expect(response.status).toBe(302);
      expect(response.headers.get("location")).toBe("http://10.0.0.1/");
    }
    expect((await go(redirect("http://["))).status).toBe(302);
  });

  it("to another origin loses all secret headers, and within the origin none", async () => {
    const secrets = { Authorization: "Bearer x", Cookie: "a=b", "X-Api-Key": "x" };
    const headers = { ...secrets, Accept: "text/html" };
    await go(redirect(`${other.origin}/`), { headers });
    expect(seen[0]?.headers).toMatchObject({ accept: "text/html", "user-agent": USER_AGENT });
    expect(JSON.stringify(seen[0]?.headers)).not.toMatch(/authorization|cookie|api-key/);
    await go(redirect("/end"), { headers });
    expect(seen[1]?.headers).toMatchObject({ authorization: "Bearer x", cookie: "a=b" });
  });

  it.each([
    [301, "POST", "GET"],
    [302, "POST", "GET"],
    [303, "POST", "GET"],
    [303, "DELETE", "GET"],
    [302, "PUT", "PUT"],
    [307, "POST", "POST"],
    [308, "PATCH", "PATCH"],
  ])("of %i makes of a %s a %s within the origin", async (status, method, expected) => {
    const headers = { "Content-Type": "text/plain", "Idempotency-Key": "k" };
    await go(redirect("/end", status), { method, body: "secret", headers });
    expect(seen).toMatchObject([{ method: expected, body: expected === "GET" ? "" : "secret" }]);
    expect(seen[0]?.headers["content-type"]).toBe(expected === "GET" ? undefined : "text/plain");
    expect(seen[0]?.headers["idempotency-key"]).toBe(expected === "GET" ? undefined : "k");
  });

  it.each([307, 308])("of %i does not send a body to another origin", async (status) => {
    const response = await go(redirect(`${other.origin}/`, status), { method: "POST", body: "x" });
    expect(response.status).toBe(status);
    expect(seen).toEqual([]);
  });
});

describe("the answer", () => {
  it("of an endless stream is cut at the limit, and closes the connection", async () => {
    const response = await go("/endless", { maxBytes: 100_000 });
    expect(response.cut).toBe(true);
    expect(response.bytes.byteLength).toBe(100_000);
    await hungUp.promise;
  });

  it("to HEAD is not waited for: no body comes, whatever its length says", async () => {
    const fetch = async () => new Response(new ReadableStream(), { headers: { "x-kept": "1" } });
    const response = await guardedBy(
      {},
      { fetch },
    )({
      method: "HEAD",
      url: target.origin,
      maxBytes: 100,
      timeoutMs: 500,
      signal: new AbortController().signal,
    });
    expect(response).toMatchObject({ status: 200, cut: false });
    expect(response.bytes).toHaveLength(0);
  });

  it("that ends exactly at the limit is whole", async () => {
    expect(await go("/", { maxBytes: 4 })).toMatchObject({ cut: false });
    expect(await go("/", { maxBytes: 3 })).toMatchObject({ cut: true });
  });
});

describe("time", () => {
  it.each(["/hang", "/stall", redirect("/hang")])("ends a wait for %s", async (path) => {
    await expect(go(path, { timeoutMs: 250 })).rejects.toEqual(failure("timeout"));
    await hungUp.promise;
  });

  it("of a name look-up does not count for the receiver", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const lookUps: (() => void)[] = [];
    const looking = Promise.withResolvers<void>();
    const connect = async (input: RequestInfo | URL) => {
      if (!String(input).startsWith("https://resolver.example/")) return new Response("here");
      await new Promise<void>((resolve) => {
        lookUps.push(resolve);
        if (lookUps.length === 2) looking.resolve();
      });
      return Response.json({ Status: 0, Answer: [{ type: 1, data: "93.184.215.14" }] });
    };
    const guarded = guardedBy(
      {},
      { dnsOverHttpsUrl: "https://resolver.example/dns-query", fetch: connect },
    );
    const response = guarded({ ...READ, url: "https://shop.example/", timeoutMs: 50 });
    await looking.promise;
    vi.advanceTimersByTime(1_000);
    for (const answer of lookUps) answer();
    expect(text(await response)).toBe("here");
  });
});

describe("an abort", () => {
  it.each(["/hang", "/stall"])(
    "closes the connection to %s and passes on its reason",
    async (path) => {
      const controller = new AbortController();
      const reason = new Error("stopped by the user");
      const request = go(path, { signal: controller.signal });
      const outcome = expect(request).rejects.toBe(reason);
      await arrived.promise;
      controller.abort(reason);
      await outcome;
      await hungUp.promise;
    },
  );

  it("before the request sends nothing", async () => {
    const signal = AbortSignal.abort(new Error("gone"));
    await expect(go("/", { signal })).rejects.toThrow("gone");
    expect(seen).toEqual([]);
  });
});

describe("a connection's credential", () => {
  const VALUE = "Bearer of-the-connection";
  const fetchWith = (rule: Partial<ConnectionRule>, changes = {}) => {
    const credential = {
      hosts: [target.host],
      pathPrefix: null,
      header: "Authorization",
      connectionId: "con_1",
      name: "crm",
      value: VALUE,
      ...rule,
    };
    const connections = async () => ({
      credentials: [credential],
      missing: null,
      scrubber: scrubberOf([VALUE]),
    });
    return guardedBy({}, { connections, ...changes });
  };
  const sent = async (send: GuardedFetch, url: string, changes: Partial<OutboundRequest> = {}) => {
    seen = [];
    await send({ ...READ, url, ...changes });
    return seen.map(({ headers }) => headers.authorization);
  };

  it("is sent only to its hosts, in place of a header of the same name", async () => {
    const send = fetchWith({ hosts: [other.host] });
    const headers = { authorization: "of the agent" };
    expect(await sent(send, `${other.origin}/x`, { headers })).toEqual([VALUE]);
    expect(await sent(send, `${self.origin}/x`)).toEqual([undefined]);
  });

  it("is never sent with a redirect to another host, even one of the connection", async () => {
    const send = fetchWith({ hosts: [target.host, other.host] });
    const to = encodeURIComponent(`${other.origin}/stolen`);
    expect(await sent(send, `${target.origin}/redirect?to=${to}`)).toEqual([undefined]);
  });

  it("is never sent with a redirect that the service follows", async () => {
    const send = fetchWith({});
    const to = encodeURIComponent(`${other.origin}/?stolen=${VALUE}`);
    const url = `${target.origin}/redirect?to=${to}`;
    await expect(send({ ...READ, url })).rejects.toMatchObject({ code: "address_refused" });
    expect(seen).toEqual([]);
  });

  it.each([
    ["/v1", true],
    ["/v1/orders", true],
    ["/v10", false],
    ["/v2/../v1/orders", true],
    ["/v1/..%2fadmin", false],
    ["/v1/%252e%252e/admin", false],
    ["/v1/..;/admin", false],
    ["/v1/..%3b/admin", false],
    ["/v1/orders;a=b", false],
    ["/v1/..%c0%afadmin", false],
    ["/v1/..%u002fadmin", false],
    ["/v1/.%09./admin", false],
    ["/v1/..%5cadmin", false],
    ["/v1/%EF%BC%8E%EF%BC%8E/admin", false],
    [`/v1/%${"25".repeat(20)}2e.`, false],
    ["/v1/..orders", false],
    ["/v1/100%", false],
    ["/v1/a..b/.well-known/caf%C3%A9%20%2526", true],
  ])("with the path prefix /v1 is sent to %s: %s", async (path, goes) => {
    const send = fetchWith({ hosts: [other.host], pathPrefix: "/v1" });
    expect(await sent(send, other.origin + path)).toEqual([goes ? VALUE : undefined]);
  });

  it("is never sent over plain http to a public host", async () => {
    const asked: (string | null)[] = [];
    const send = fetchWith(
      { hosts: ["shop.example"] },
      {
        fetch: async (_: unknown, init?: RequestInit) => {
          asked.push(new Headers(init?.headers).get("authorization"));
          return new Response("");
        },
      },
    );
    for (const scheme of ["http", "https"])
      await send({ ...READ, url: `${scheme}://shop.example/` });
    expect(asked).toEqual([null, VALUE]);
  });
});

it("reaches only allowed hosts, including redirects", async () => {
  const send = guardedBy({ allowedHosts: [target.host] });
  const refused = { code: "address_refused", message: expect.stringContaining("allowed hosts") };
  await expect(send({ ...READ, url: other.origin })).rejects.toMatchObject(refused);
  const to = encodeURIComponent(other.origin);
  const url = `${target.origin}/redirect?to=${to}`;
  await expect(send({ ...READ, url })).rejects.toMatchObject(refused);
  expect(seen).toEqual([]);
});
